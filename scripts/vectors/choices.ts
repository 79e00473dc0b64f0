import { choose, elect, reassignLine } from '../../protocol/index.js'
import { CHOOSE_CASES, ELECT_CASES, LINE_CASES } from '../../test/protocol/choose/cases.js'

/** Choices, elections and lines: inputs and what must come out. */
export function choiceVectors(): Record<string, unknown> {
  return {
    about:
      'Choices. SPEC.md, section 9. Candidates may be listed in any order. Sentences are for people and may differ.',
    choices: CHOOSE_CASES.map(({ name, input, config = {} }) => ({
      name,
      input,
      config,
      decision: choose(input, config),
    })),
    elections: ELECT_CASES.map(({ name, group, candidates }) => {
      const { order, coordinator, ranks } = elect(group, candidates)
      return { name, group, candidates, order, coordinator, ranks }
    }),
    lines: LINE_CASES.map(({ name, input }) => ({ name, input, line: reassignLine(input) })),
  }
}
