/** The timeline, its strip, legend and tooltip. */
import { css } from '../source.js'

export const TIMELINE: string = css`
main {
  display: grid;
  grid-template-columns: minmax(0, 1fr) 372px;
  gap: 14px;
  padding: 14px 18px 28px;
  align-items: start;
  grid-template-rows: auto 1fr;
}
.timeline, .side, .log {
  min-width: 0;
  padding: 10px 12px 12px;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--surface);
}
.side { position: sticky; top: 14px; grid-column: 2; grid-row: 1 / 3; max-height: calc(100vh - 28px); }
.window { margin-left: auto; color: var(--dim); font-variant-numeric: tabular-nums; }

.timeline { --gutter: 148px; }
.strip {
  display: grid;
  grid-template-columns: var(--gutter) minmax(0, 1fr);
  height: 41px;
  margin-top: 8px;
  border: 1px solid var(--line);
  border-bottom: 0;
  border-radius: 6px 6px 0 0;
  overflow: hidden;
}
.strip-name { padding: 11px 8px; border-right: 1px solid var(--line); background: var(--head); color: var(--dim); }
.strip canvas { cursor: crosshair; touch-action: pan-y; }
.scroller {
  display: grid;
  grid-template-columns: var(--gutter) minmax(0, 1fr);
  max-height: max(420px, 68vh);
  overflow-x: hidden;
  overflow-y: auto;
  border: 1px solid var(--line);
  border-radius: 0 0 6px 6px;
}
.labels { border-right: 1px solid var(--line); }
.lane-head {
  position: sticky;
  z-index: 1;
  top: 0;
  display: flex;
  align-items: flex-end;
  padding: 0 8px 2px;
  border-bottom: 1px solid var(--line);
  background: var(--head);
  color: var(--dim);
}
.lane {
  padding: 3px 8px 0;
  overflow: clip;
  border-bottom: 1px solid var(--line);
  line-height: 1.3;
  white-space: nowrap;
}
.lane:nth-child(odd) { background: var(--stripe); }
.lane-text { position: sticky; display: block; overflow: hidden; text-overflow: ellipsis; }
.lane-name { font-weight: 600; }
.lane-profile { color: var(--dim); font-size: 11px; }
.lane-profile::before { content: ' '; }
.lane.is-high .lane-profile { display: block; }
.lane.is-low { padding-top: 0; font-size: 10px; line-height: 11px; }
.lane.is-low .lane-profile { font-size: 9.5px; }
.stage { position: sticky; top: 0; align-self: start; overflow: hidden; }
.stage canvas { display: block; cursor: grab; touch-action: pan-y; }
.stage canvas.is-axis { cursor: col-resize; }
.stage canvas.is-over { cursor: pointer; }
.stage canvas.is-dragging { cursor: grabbing; }

.keys { margin: 8px 0 0; color: var(--dim); font-size: 11.5px; }
.legend { display: flex; flex-wrap: wrap; gap: 5px 22px; margin-top: 8px; padding-top: 8px; border-top: 1px solid var(--line); }
.legend-group { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; }
.legend-group b { color: var(--dim); font-weight: 600; }
.sign { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; }

.tooltip {
  position: fixed;
  z-index: 10;
  max-width: min(460px, calc(100vw - 16px));
  max-height: calc(100vh - 16px);
  padding: 8px 11px;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  box-shadow: 0 6px 24px rgb(0 0 0 / 0.22);
  overflow-wrap: anywhere;
  pointer-events: none;
}
.tooltip h3 { margin: 0 0 2px; font-size: 13px; }
.rest { color: var(--dim); font-size: 11.5px; }
.candidates { width: 100%; margin: 6px 0 3px; font-size: 11.5px; overflow-wrap: normal; }
.candidates th, .candidates td { padding: 1px 8px 1px 0; border-bottom: 1px solid var(--line); }
.candidates th { font-weight: 400; white-space: nowrap; }
.candidates thead th { color: var(--dim); }
.candidates td { font-variant-numeric: tabular-nums; }
.candidates .is-chosen th, .candidates .is-chosen td { font-weight: 700; }
.candidates .gates { color: var(--dim); }

@media (max-width: 1080px) {
  main { grid-template-columns: minmax(0, 1fr); padding: 10px; }
  .side { position: static; grid-column: 1; grid-row: auto; max-height: none; }
}
@media (max-width: 640px) {
  .timeline { --gutter: 86px; }
  .scroller { max-height: 60vh; }
}
`
