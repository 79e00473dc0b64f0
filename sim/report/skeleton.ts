/** The page before its script has filled it: landmarks, controls and empty places. Nothing in it comes from a trace. */
export const SKELETON: string = `<noscript><p class="notice">This report draws itself: please allow its script. It loads nothing.</p></noscript>
<header class="top">
  <div class="headline">
    <h1 id="title"></h1>
    <span id="facts" class="facts"></span>
    <span id="verdict" class="verdict"></span>
  </div>
  <ul id="violations" class="violations" aria-label="Violations" hidden></ul>
  <div id="totals" class="totals"></div>
  <div class="replay">
    <span class="replay-name" id="replay-name">Play it again</span>
    <code id="replay" tabindex="0" aria-labelledby="replay-name"></code>
    <button type="button" id="copy">Copy</button>
  </div>
</header>
<main>
  <section class="timeline" aria-labelledby="timeline-name">
    <div class="bar">
      <h2 id="timeline-name">Timeline</h2>
      <div class="group" role="group" aria-label="Zoom">
        <button type="button" id="zoom-in" title="Zoom in (+)" aria-label="Zoom in">+</button>
        <button type="button" id="zoom-out" title="Zoom out (−)" aria-label="Zoom out">−</button>
        <button type="button" id="fit" title="Show all of it (0)">Fit</button>
      </div>
      <label class="choice">Rows
        <select id="density">
          <option value="fit">fit all</option>
          <option value="small">small</option>
          <option value="medium">medium</option>
          <option value="large">large</option>
        </select>
      </label>
      <div class="group choices" role="group" aria-label="Show">
        <label class="choice"><input type="checkbox" id="show-decisions" checked> Decisions</label>
        <label class="choice"><input type="checkbox" id="show-moves" checked> Moves <span id="moves-note" class="meta"></span></label>
        <label class="choice"><input type="checkbox" id="show-records"> Records</label>
        <label class="choice"><input type="checkbox" id="show-beacons"> Beacons</label>
        <label class="choice" id="narrow-choice" hidden><input type="checkbox" id="narrow"> Only its devices</label>
      </div>
      <output id="window" class="window"></output>
    </div>
    <div class="strip">
      <div class="strip-name">All of it</div>
      <canvas id="overview" aria-hidden="true"></canvas>
    </div>
    <div id="scroller" class="scroller" tabindex="0" role="group" aria-label="Timeline of devices and runs" aria-describedby="keys">
      <div id="labels" class="labels"></div>
      <div id="stage" class="stage"><canvas id="lanes" aria-hidden="true"></canvas></div>
    </div>
    <p id="keys" class="keys">Drag pans · drag on the time axis zooms into a range · Ctrl + wheel zooms ·
      <kbd>←</kbd> <kbd>→</kbd> <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> move and fit ·
      <kbd>,</kbd> <kbd>.</kbd> step through decisions, <kbd>Enter</kbd> opens the run · <kbd>/</kbd> finds a run ·
      <kbd>Esc</kbd> closes</p>
    <div id="legend" class="legend" role="group" aria-label="Legend"></div>
  </section>
  <aside class="side">
    <section id="runs" class="runs" aria-labelledby="runs-name">
      <div class="bar"><h2 id="runs-name">Runs</h2><output id="found" class="found"></output></div>
      <input type="search" id="search" placeholder="Find by name, id, type, state, device, text" aria-label="Find a run" autocomplete="off" spellcheck="false">
      <ul id="run-list" class="run-list" aria-label="Runs found"></ul>
    </section>
    <section id="panel" class="panel" aria-label="The chosen run" tabindex="-1" hidden></section>
  </aside>
  <section class="log" aria-labelledby="log-name">
    <div class="bar">
      <h2 id="log-name">Log</h2>
      <input type="search" id="log-text" placeholder="Filter by text" aria-label="Filter the log by text" autocomplete="off" spellcheck="false">
      <select id="log-kind" aria-label="Kind of entry"></select>
      <select id="log-device" aria-label="Device"></select>
      <label class="choice"><input type="checkbox" id="log-window"> only the time shown above</label>
      <output id="log-found" class="found"></output>
    </div>
    <div class="rows"><table>
      <thead><tr><th scope="col">Time</th><th scope="col">Device</th><th scope="col">Kind</th><th scope="col">Run</th><th scope="col">What</th></tr></thead>
      <tbody id="log-rows"></tbody>
    </table></div>
    <button type="button" id="log-more" hidden>Show more</button>
  </section>
</main>
<div id="tooltip" class="tooltip" role="tooltip" hidden></div>
<div id="spoken" class="spoken" aria-live="polite"></div>`
