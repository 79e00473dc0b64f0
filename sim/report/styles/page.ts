/** The page as a whole: type, controls, the header. */
import { css } from '../source.js'

export const PAGE: string = css`
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 13px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
h1 { margin: 0; font-size: 19px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 14px; overflow-wrap: anywhere; }
h3 { margin: 14px 0 4px; font-size: 12.5px; }
p { margin: 2px 0; }
ul, ol { margin: 0; padding: 0; list-style: none; }
code { font: 12px/1.4 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; }
kbd {
  padding: 0 4px;
  border: 1px solid var(--line);
  border-radius: 3px;
  background: var(--surface);
  font: 11px ui-monospace, monospace;
}
button, select, input[type='search'] {
  padding: 3px 9px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
button { cursor: pointer; }
button:hover, select:hover { border-color: var(--dim); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.meta, .found { color: var(--dim); font-variant-numeric: tabular-nums; }
.bad { color: var(--bad); font-weight: 600; }
.notice { padding: 12px; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; }
.group { display: flex; gap: 4px; }
.choices { flex-wrap: wrap; gap: 4px 12px; }
.choice { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; }
.choice input { margin: 0; accent-color: var(--accent); }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

.top { padding: 14px 18px 12px; border-bottom: 1px solid var(--line); background: var(--surface); }
.headline { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; }
.facts { color: var(--dim); }
.verdict { padding: 2px 11px; border-radius: 20px; font-weight: 600; white-space: nowrap; }
.verdict.is-good { background: var(--good-ground); color: var(--good); }
.verdict.is-bad { background: var(--bad-ground); color: var(--bad); }
.violations {
  max-height: 132px;
  margin-top: 10px;
  padding: 5px 12px;
  overflow-y: auto;
  border-left: 3px solid var(--bad);
  border-radius: 0 6px 6px 0;
  background: var(--bad-ground);
}
.violations li { display: flex; flex-wrap: wrap; gap: 2px 12px; padding: 2px 0; overflow-wrap: anywhere; }
.violations a { color: inherit; font-variant-numeric: tabular-nums; }
.violations .meta { color: inherit; opacity: 0.75; }

.totals { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 10px 34px; margin-top: 12px; }
.totals caption {
  padding-bottom: 2px;
  color: var(--dim);
  font-size: 11px;
  letter-spacing: 0.02em;
  text-align: left;
  white-space: nowrap;
}
.totals th { padding: 0 14px 0 0; font-weight: 400; white-space: nowrap; }
.totals td { font-variant-numeric: tabular-nums; font-weight: 600; text-align: right; white-space: nowrap; }

.replay { display: flex; align-items: center; gap: 10px; margin-top: 12px; }
.replay-name { color: var(--dim); white-space: nowrap; }
.replay code {
  flex: 0 1 auto;
  min-width: 0;
  max-height: 60px;
  padding: 4px 9px;
  overflow: auto;
  border-radius: 6px;
  background: var(--ground);
}
@media (max-width: 640px) {
  .top { padding: 12px; }
  .replay { flex-wrap: wrap; }
}
`
