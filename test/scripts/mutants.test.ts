import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { edited } from '../../scripts/mutants/mutant.js'
import { MUTANTS } from '../../scripts/mutants/mutants.js'
import { STORIES } from '../../scripts/mutants/stories.js'

describe('the planted bugs', () => {
  it('are twenty at least, each with a name of its own', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(20)
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  })

  it.each(MUTANTS)('$name still fits the source', ({ edits }) => {
    expect(edits.length).toBeGreaterThan(0)
    const texts = new Map<string, string>()
    for (const edit of edits) {
      const before = texts.get(edit.file) ?? readFileSync(edit.file, 'utf8')
      const after = edited(before, edit)
      expect(after).not.toBe(before)
      texts.set(edit.file, after)
    }
  })

  it('are refused once what they replace is gone, or stands twice', () => {
    const edit = { file: 'a.ts', from: 'one', to: 'two' }
    expect(edited('one $& three', { ...edit, to: '$&' })).toBe('$& $& three')
    expect(() => edited('three', edit)).toThrow('a.ts has 0 times, not once: "one"')
    expect(() => edited('one one', edit)).toThrow('a.ts has 2 times')
  })

  it.each(Object.entries(STORIES))('the story “%s” is the same for the same seed', (_, story) => {
    expect(story(3)).toEqual(story(3))
    expect(story(3)).not.toEqual(story(4))
  })
})
