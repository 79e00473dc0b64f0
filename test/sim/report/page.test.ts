/** What a person does with a report, in a real browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportOf } from '../../../sim/report/index.js'
import type { Trace } from '../../../sim/trace.js'
import { Browser, findBrowser, type Page } from './browser.js'
import { EVIL, evilTrace, madeTrace } from './kit.js'

const path = findBrowser()

it('a browser is looked for', () => {
  if (path === null)
    process.stdout.write(
      'Skipped: the report in a browser. No Chromium is on the PATH, nor named by CHROMIUM.\n',
    )
})

describe.runIf(path !== null)('a report in a browser', () => {
  const small = madeTrace({ devices: 5, runs: 50, violations: 2 })
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dibs-report-'))
    browser = await Browser.open(path ?? '')
  })
  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function show(trace: Trace, link = ''): Promise<Page> {
    const file = join(folder, 'report.html')
    await writeFile(file, reportOf(trace))
    const page = await browser.page(1280, 900)
    await page.show(pathToFileURL(file).href + link)
    await page.until(`document.querySelectorAll('.run').length > 0`)
    return page
  }

  it('loads without an error, and nothing but itself', async () => {
    const page = await show(small)
    expect(page.complaints).toEqual([])
    expect(page.requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1)
  })

  it('shows the verdict, the totals and how to play it again', async () => {
    const page = await show(small)
    expect(await page.textOf('#verdict')).toContain('2 violations')
    expect(await page.textOf('#totals')).toMatch(/submitted\s+50/)
    expect(await page.textOf('#replay')).toBe(small.replay)
    expect(await page.value(`document.querySelectorAll('.lane').length`)).toBe(5)
    expect(await inksOf(page)).toBeGreaterThan(20)
  })

  it('finds a run by what is typed, and opens it', async () => {
    const page = await show(small)
    const run = small.runs[17]
    await page.click('#search')
    await page.type(`${run?.name} ${run?.state}`)
    await page.until(`document.querySelectorAll('.run').length === 1`)
    await page.click('.run')
    await page.until(`!document.getElementById('panel').hidden`)
    const panel = await page.textOf('#panel')
    for (const text of [run?.name, run?.id, run?.sentences[0], 'Who had it', 'Decisions', 'Log'])
      expect(panel).toContain(text)
    expect(await page.value('location.hash')).toBe(`#run=${run?.id}`)
    await page.press('Escape')
    await page.until(`document.getElementById('panel').hidden`)
    expect(page.complaints).toEqual([])
  })

  it('opens the run that a link names', async () => {
    const page = await show(small, `#run=${small.runs[3]?.id}`)
    expect(await page.textOf('#panel')).toContain(small.runs[3]?.name)
  })

  it('leads from a violation to its moment and its run', async () => {
    const page = await show(small)
    await page.click('#violations a')
    await page.until(`!document.getElementById('panel').hidden`)
    expect(await page.textOf('#panel')).toContain(small.outcome.violations[0]?.run)
    expect(await page.textOf('#window')).not.toContain('(1 h)')
  })

  it('says why, when a decision is pointed at', async () => {
    const page = await show(small)
    await pointAtDecision(page)
    const text = await page.textOf('#tooltip')
    expect(text).toMatch(/has the best score/)
    expect(text).toMatch(/Device\s+Score\s+load\s+quality\s+rank\s+capability/)
  })

  it('opens the run of a bar that is clicked', async () => {
    const page = await show(small)
    const lane = await page.boxOf('.lane')
    const stage = await page.boxOf('#lanes')
    for (let x = stage.x + 4; x < stage.x + stage.width; x += 6) {
      await page.clickAt(x, lane.y + 22)
      if (await page.value(`!document.getElementById('panel').hidden`)) break
    }
    expect(await page.textOf('#panel')).toContain('Who had it')
  })

  it('can be used with keys alone', async () => {
    const page = await show(small)
    await page.value(`document.getElementById('scroller').focus()`)
    await page.press('+')
    await page.until(`!document.getElementById('window').textContent.includes('(1 h)')`)
    await page.press('0')
    await page.until(`document.getElementById('window').textContent.includes('(1 h)')`)
    await page.press('.')
    await page.until(`!document.getElementById('tooltip').hidden`)
    await page.press('Enter')
    await page.until(`!document.getElementById('panel').hidden`)
    await page.press('Escape')
    await page.press('/')
    await page.until(`document.activeElement.id === 'search'`)
  })

  it('filters the log by kind, device and text', async () => {
    const page = await show(small)
    await page.value(`
      for (const [id, value] of [['log-kind', 'record'], ['log-device', '1']]) {
        document.getElementById(id).value = value
        document.getElementById(id).dispatchEvent(new Event('change'))
      }`)
    await page.click('#log-text')
    await page.type('claimed')
    const wanted = small.entries.filter(
      ({ kind, place, text }) => kind === 'record' && place === 1 && text.includes('claimed'),
    )
    await page.until(`document.querySelectorAll('#log-rows tr').length === ${wanted.length}`)
    expect(await page.textOf('#log-found')).toContain(`${wanted.length} of ${small.entries.length}`)
  })

  it('shows what would do harm as the text that it is', async () => {
    const page = await show(evilTrace())
    await page.click('.run')
    await page.until(`!document.getElementById('panel').hidden`)
    await page.value(`document.getElementById('scroller').focus()`)
    await page.press('.')
    await page.until(`!document.getElementById('tooltip').hidden`)
    expect(await page.textOf('#tooltip')).toContain(EVIL)
    expect(await page.textOf('#panel h2')).toBe(EVIL)
    expect(await page.value(`document.querySelectorAll('img').length`)).toBe(0)
    expect(await page.value('document.title')).not.toBe('broken')
    expect(page.complaints).toEqual([])
  })

  it('holds 50 devices and 2,000 runs, of which one can be found and opened', async () => {
    const large = madeTrace({ devices: 50, runs: 2000 })
    const page = await show(large)
    expect(await page.textOf('#verdict')).toContain('no violation')
    expect(await page.value(`document.querySelectorAll('.run').length`)).toBe(100)
    const run = large.runs[1234]
    await page.click('#search')
    await page.type(run?.id ?? '')
    await page.until(`document.querySelectorAll('.run').length === 1`)
    await page.press('Enter')
    await page.until(`!document.getElementById('panel').hidden`)
    expect(await page.textOf('#panel')).toContain(run?.name)
    await page.click('#narrow')
    const places = new Set([run?.creator, ...(run?.bars ?? []).map(({ place }) => place)])
    await page.until(`document.querySelectorAll('.lane').length === ${places.size}`)
    await page.click('.close')
    await page.until(`document.querySelectorAll('.lane').length === 50`)
    expect(page.complaints).toEqual([])
  })

  it('fits a narrow screen', async () => {
    const page = await show(small)
    await page.resize(380, 800)
    await page.until('document.documentElement.scrollWidth <= 380')
  })

  it('draws itself anew when the light goes out', async () => {
    const page = await show(small)
    const light = await pixelOf(page)
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: 'dark' }],
    })
    await page.until(`${PIXEL} !== ${JSON.stringify(light)}`)
  })
})

/** Goes along the row of diamonds of each lane until a tooltip tells of a decision. */
async function pointAtDecision(page: Page): Promise<void> {
  const stage = await page.boxOf('#lanes')
  const lane = await page.boxOf('.lane')
  for (let x = stage.x + 2; x < stage.x + stage.width; x += 4) {
    await page.pointAt(x, lane.y + 8)
    if (
      await page.value(
        `!document.getElementById('tooltip').hidden && !!document.querySelector('#tooltip table')`,
      )
    )
      return
  }
  throw new Error('No decision was found in the first lane.')
}

/** How many colours the timeline has: a blank canvas has one. */
async function inksOf(page: Page): Promise<number> {
  await page.until(`document.getElementById('lanes').width > 300`)
  return (await page.value(`(() => {
    const canvas = document.getElementById('lanes')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return new Set(new Uint32Array(data.buffer)).size
  })()`)) as number
}

/** The ground of the axis. */
const PIXEL = `String(document.getElementById('lanes').getContext('2d').getImageData(2, 2, 1, 1).data)`
function pixelOf(page: Page): Promise<unknown> {
  return page.value(PIXEL)
}
