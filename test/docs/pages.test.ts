/** Every program in README and guide runs, prints what the page says, and passes the compiler. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asSaid, programsOf } from './programs.js'
import { folderOf, type Outcome, removeFolder, runPrograms, typeFaults } from './run-programs.js'

describe.each(['README.md', 'docs/guide.md'])('the code of %s', (page) => {
  const programs = programsOf(page)
  let folder = ''
  let outcomes: readonly Outcome[] = []

  beforeAll(async () => {
    folder = folderOf(programs)
    outcomes = await runPrograms(folder, programs.length)
  })

  afterAll(() => removeFolder(folder))

  it('passes the compiler', async () => {
    expect(await typeFaults(folder)).toBe('')
  })

  it.each(programs.map(({ title }, place) => [title, place] as const))(
    'under “%s” runs as shown',
    (_, place) => {
      const { printed = [], error = 'It did not run: the process ended before.' } = outcomes[place] ?? {}
      const { prints } = programs[place] ?? { prints: [] }
      expect(error).toBe(null)
      expect(asSaid(printed, prints)).toEqual(prints)
    },
  )
})
