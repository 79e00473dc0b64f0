/** The list of runs, the panel of one, and the log. */
import { css } from '../source.js'

export const SIDE: string = css`
.runs { display: flex; flex-direction: column; gap: 8px; max-height: calc(100vh - 52px); }
.runs input { width: 100%; padding: 6px 9px; }
.run-list { overflow-y: auto; border-top: 1px solid var(--line); }
.run-list li { border-bottom: 1px solid var(--line); }
.run {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto auto;
  gap: 0 8px;
  width: 100%;
  padding: 5px 6px;
  border: 0;
  border-radius: 0;
  background: none;
  text-align: left;
}
.run:hover { background: var(--head); }
.run .chip { grid-column: 2; grid-row: 1; }
.run-name { grid-column: 1; grid-row: 1; overflow: hidden; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
.run-time { grid-column: 3; grid-row: 1; color: var(--dim); font-variant-numeric: tabular-nums; }
.run-where {
  grid-column: 1 / -1;
  overflow: hidden;
  color: var(--dim);
  font-size: 11.5px;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.run-list .empty { padding: 10px 6px; border: 0; color: var(--dim); }
.more { margin: 6px; }

.chip { padding: 0 8px; border-radius: 10px; background: var(--head); font-size: 11.5px; line-height: 18px; white-space: nowrap; }
.chip.is-completed { background: var(--good-ground); color: var(--good); }
.chip.is-failed { background: var(--bad-ground); color: var(--bad); }

.panel { max-height: calc(100vh - 52px); overflow-y: auto; overflow-wrap: anywhere; }
.panel:focus { outline: none; }
.panel .bar { flex-wrap: nowrap; justify-content: space-between; align-items: flex-start; }
.panel-facts { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; margin: 4px 0; }
.panel-facts code { color: var(--dim); font-size: 11px; }
.close { padding: 0 8px; font-size: 17px; line-height: 24px; }
.panel dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 12px; margin: 8px 0; }
.panel dt { color: var(--dim); }
.panel dd { margin: 0; font-variant-numeric: tabular-nums; }
.sentences { margin: 8px 0; padding: 7px 10px; border-radius: 6px; background: var(--head); }
.sentences:empty { display: none; }
.stint { display: flex; flex-wrap: wrap; gap: 0 8px; font-size: 12px; }
.stint-bars { display: flex; flex: 1 0 100%; flex-wrap: wrap; gap: 0 10px; font-variant-numeric: tabular-nums; }
.bar-state { padding-left: 5px; border-left: 5px solid var(--assigned); white-space: nowrap; }
.bar-state.is-claimed { border-left-color: var(--claimed); }
.bar-state.is-processing { border-left-color: var(--processing); }
.items li { padding: 5px 0; border-top: 1px solid var(--line); }
.entry { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 8px; font-size: 12px; }
.entry > :last-child { grid-column: 2; }
.kind { color: var(--dim); }
.moment {
  padding: 0;
  border: 0;
  background: none;
  color: var(--accent);
  font-variant-numeric: tabular-nums;
  text-align: left;
}
.moment:hover { text-decoration: underline; }

.log .bar { margin-bottom: 8px; }
.log input[type='search'] { flex: 0 1 260px; min-width: 0; }
.log select { max-width: 180px; }
.log .found { margin-left: auto; }
.rows { max-height: 460px; overflow: auto; }
.rows table { width: 100%; font-size: 12px; }
.rows thead th { position: sticky; top: 0; background: var(--head); color: var(--dim); font-weight: 600; }
.rows th, .rows td { padding: 2px 12px 2px 6px; }
.rows td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.rows td:nth-child(-n + 4) { white-space: nowrap; }
.rows td:last-child { width: 100%; min-width: 220px; }
.is-violation td { background: var(--bad-ground); color: var(--bad); }
`
