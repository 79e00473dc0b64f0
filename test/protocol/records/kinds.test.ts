import { describe, expect, test } from 'vitest'
import { FIELD_SCHEMAS, fieldsOf, KINDS, type Kind, kindOfCode } from '../../../protocol/index.js'
import { KIND_NAMES } from '../arbitraries.js'

describe('the table of kinds', () => {
  test('gives every kind a code of its own, and finds it by that code', () => {
    const codes = KIND_NAMES.map((kind) => KINDS[kind].code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const kind of KIND_NAMES) expect(kindOfCode(KINDS[kind].code)).toBe(kind)
  })

  test('knows no kind for a code from the future, nor for nonsense', () => {
    for (const code of [
      0,
      -1,
      0.5,
      Math.max(...KIND_NAMES.map((kind) => KINDS[kind].code)) + 1,
      Number.NaN,
    ]) {
      expect(kindOfCode(code)).toBeUndefined()
    }
  })

  test('never changes the code of a kind, nor the order of its fields: others have stored them', () => {
    const wire = KIND_NAMES.map(
      (kind) => `${KINDS[kind].code} ${kind}: ${fieldsOf(kind).map(notation).join(' ')}`,
    )
    expect(wire).toMatchInlineSnapshot(`
      [
        "1 created: run:run* type:name input:payload? priority:priority? project:name? key:key? requires:names? prefers:names? privacy:names? parent:run? version:version? retry:retry? timeoutMs:duration? heartbeat:heartbeat? assignmentTimeoutMs:duration? notBefore:moment? deadline:moment? approval:approval? reconcile:reconcile? coordinator:flag? preemptible:flag? minBattery:share?",
        "2 assigned: run:run target:device reason:assignReason parent:record? created:record? round:round? note:text?",
        "3 claimed: run:run assignment:record",
        "4 started: run:run assignment:record",
        "5 progressed: run:run assignment:record data:payload?",
        "6 declined: run:run assignment:record reason:name note:text?",
        "7 released: run:run assignment:record reason:releaseReason note:text?",
        "8 held: run:run assignment:record gapMs:span voids:records?",
        "9 completed: run:run assignment:record output:payload?",
        "10 failed: run:run error:failure assignment:record? final:flag? round:round?",
        "11 cancelled: run:run round:round? reason:text?",
        "12 paused: run:run reason:text?",
        "13 resumed: run:run",
        "14 approved: run:run by:name reason:text? expiresAt:moment?",
        "15 retried: run:run round:round ended:record reason:text?",
        "16 expedited: run:run priority:priority",
        "17 profiled: name:name class:deviceClass capabilities:names projects:names? slots:slots? reserved:slots? handles:names?",
        "18 admitted: device:device role:role clearances:names?",
        "19 revoked: device:device reason:text? keeps:records?",
      ]
    `)
  })

  test('uses only field types that have a schema', () => {
    for (const kind of KIND_NAMES) {
      for (const field of fieldsOf(kind)) expect(FIELD_SCHEMAS).toHaveProperty(field.as)
    }
  })

  test('puts required fields before optional ones, so that trailing nulls can be cut', () => {
    for (const kind of KIND_NAMES) {
      const optional = fieldsOf(kind).map((field) => field.optional)
      expect([...optional].sort(), kind).toEqual(optional)
    }
  })

  test('a record about a run names the run; one about a device does not', () => {
    for (const kind of KIND_NAMES) {
      const hasRun = fieldsOf(kind).some((field) => field.name === 'run' && field.as === 'run')
      expect(hasRun, kind).toBe(KINDS[kind].about === 'run')
    }
  })

  test('only the run of a created record is derived', () => {
    const derived = (kind: Kind): string[] =>
      fieldsOf(kind).flatMap((field) => (field.derived ? [`${kind}.${field.name}`] : []))
    expect(KIND_NAMES.flatMap(derived)).toEqual(['created.run'])
  })

  test('no field has a name that an envelope or an object has already', () => {
    for (const kind of KIND_NAMES) {
      for (const { name } of fieldsOf(kind)) {
        expect(['id', 'stamp', 'author', 'incarnation', 'kind', 'code', 'values']).not.toContain(name)
        expect(name in {}).toBe(false)
      }
    }
  })
})

function notation(field: ReturnType<typeof fieldsOf>[number]): string {
  return `${field.name}:${field.as}${field.optional ? '?' : ''}${field.derived ? '*' : ''}`
}
