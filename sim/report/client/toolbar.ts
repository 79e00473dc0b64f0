/** The controls above the timeline, the labels of its lanes, and its size. */
import { js } from '../source.js'

export const TOOLBAR: string = js`
byId('zoom-in').addEventListener('click', () => zoom(0.6))
byId('zoom-out').addEventListener('click', () => zoom(1 / 0.6))
byId('fit').addEventListener('click', fit)

const density = byId('density')
density.value = view.density
density.addEventListener('change', () => {
  view.density = density.value
  relayout()
})

for (const name of Object.keys(view.shown)) {
  const box = byId('show-' + name)
  // A browser that comes back to a page ticks the boxes as they were left.
  box.checked = view.shown[name]
  box.addEventListener('change', () => {
    view.shown[name] = box.checked
    relayout()
  })
}

const narrow = byId('narrow')
narrow.checked = false
narrow.addEventListener('change', () => {
  view.isNarrowed = narrow.checked
  relayout()
  scroller.scrollTop = 0
})

/** Those that are asked for: of all devices, or of those that had the chosen run. */
function wantedLanes() {
  const run = runById.get(view.chosen)
  if (!view.isNarrowed || run === undefined) return lanes
  const places = new Set([run.creator, ...run.bars.map(({ place }) => place)])
  return lanes.filter(({ device }) => places.has(device.place))
}

/** A label for each lane, as high as the lane. The head stays in place while the rest scrolls. */
function relayout() {
  byId('narrow-choice').hidden = view.chosen === null
  const wanted = wantedLanes()
  const available = parseFloat(getComputedStyle(scroller).maxHeight) || window.innerHeight * 0.7
  const height = placeLanes(wanted === lanes ? view.density : 'large', view.shown, available, wanted)
  const strip = networkRows.length === 0 ? null : make('span', null, 'Network')
  const head = make('div', { class: 'lane-head' }, strip)
  head.style.height = headHeight + 'px'
  fill(byId('labels'), head, wanted.map(labelOf))
  scroller.style.height = Math.min(height + headHeight, available) + 'px'
  redraw()
}

function labelOf({ device, height, rows }) {
  const number = rows.reduce((sum, row) => sum + row.length, 0)
  const size = height < 20 ? ' is-low' : height < 40 ? '' : ' is-high'
  const profile =
    size === ' is-high' ? device.profile + ' · ' + plural(number, 'run', 'runs') : device.profile
  const text = make(
    'span',
    { class: 'lane-text' },
    make('span', { class: 'lane-name' }, device.name),
    make('span', { class: 'lane-profile' }, profile),
  )
  const label = make(
    'div',
    { class: 'lane' + size, title: device.name + ', ' + device.profile + ', ' + device.id },
    text,
  )
  label.style.height = height + 'px'
  // The name of a high lane stays in sight.
  text.style.top = headHeight + 3 + 'px'
  return label
}

function showWindow() {
  const fine = view.toMs - view.fromMs < 10 * SECOND
  const [from, to] = [Math.max(0, view.fromMs), Math.min(endMs, view.toMs)]
  byId('window').textContent = clock(from, fine) + ' – ' + clock(to, fine) + ' (' + duration(to - from) + ')'
}
drawers.push(showWindow)

scroller.addEventListener('scroll', redraw)
new ResizeObserver(relayout).observe(byId('stage'))
window.addEventListener('resize', relayout)
`
