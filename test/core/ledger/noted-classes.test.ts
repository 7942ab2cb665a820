import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadHasher } from '../../../src/world/io/files/hasher.ts'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'
import {
  type CommitRecord,
  commitRecord,
  isIntactNote,
  notedFile,
  withClasses,
} from '../../../src/core/ledger/commit-record.ts'
import { changeClass, changeClassIn, MUTATION_CLASSES, strongerClass } from '../../../src/core/ledger/mutation-class.ts'
import { notedClasses } from '../../../src/core/ledger/noted-classes.ts'
import { notedRanges } from '../../../src/core/ledger/note.ts'
import { recordsToAdd } from '../../../src/core/ledger/records-to-add.ts'

const hasher = await loadHasher()
const FORMAT = changeClass('FORMAT', ['the tokens are equal'])
const EVOLUTION = changeClass('INTENT_EVOLUTION', ['line 1: “a” is “b” now'])
const CLASSES = new Map([
  ['a.ts', FORMAT],
  ['b.ts', EVOLUTION],
])

test('evidence is one text of at most 500 characters, and a surrogate pair stays whole', () => {
  expect(changeClass('FORMAT', ['one', 'two'])).toEqual({ mutation_class: 'FORMAT', evidence: 'one; two' })
  expect(changeClass('FORMAT', ['x'.repeat(500)]).evidence).toBe('x'.repeat(500))
  expect(changeClass('FORMAT', ['x'.repeat(501)]).evidence).toBe(`${'x'.repeat(499)}…`)
  expect(changeClass('FORMAT', [`${'x'.repeat(498)}😀😀`]).evidence).toBe(`${'x'.repeat(498)}…`)
})

test('a class of a later version, and what is none, are not read', () => {
  for (const mutation_class of ['MOVED', 5, null, undefined, {}]) expect(changeClassIn({ mutation_class })).toBeNull()
  expect(changeClassIn({ mutation_class: 'FORMAT', evidence: 5 })).toEqual({ mutation_class: 'FORMAT', evidence: '' })
})

test('of several classes the same one counts in every order: known before unknown, careful before bold', () => {
  const anyClass = fc.record({
    mutation_class: fc.constantFrom(...MUTATION_CLASSES),
    evidence: fc.constantFrom('a', 'b'),
  })
  fc.assert(
    fc.property(anyClass, anyClass, anyClass, (one, two, three) => {
      expect(strongerClass(one, two)).toEqual(strongerClass(two, one))
      const left = strongerClass(strongerClass(one, two), three)
      expect(left).toEqual(strongerClass(one, strongerClass(two, three)))
      const known = [one, two, three].some(it => it.mutation_class !== 'UNKNOWN')
      expect(left.mutation_class !== 'UNKNOWN').toBe(known)
    }),
  )
  expect(strongerClass(FORMAT, EVOLUTION)).toBe(EVOLUTION)
})

test('the new record of a commit has the classes, is intact, and is Agent Trace', () => {
  const [record, ...more] = recordsToAdd([], { record: recordOf('person'), classes: CLASSES, writer: 'w' })
  expect(more).toEqual([])
  expect(record?.files.map(it => it.kotef.mutation_class)).toEqual(['FORMAT', 'INTENT_EVOLUTION'])
  expect(isIntactNote(record!)).toBe(true)
  expect(schemaFaults(record)).toEqual([])
})

test('beside a record without classes comes one with nothing but classes, the same from every clone', () => {
  const [first, second] = [recordOf('person', 'w'), recordOf('person', 'w2')]
  const [added, ...more] = recordsToAdd([first], { record: first, classes: CLASSES, writer: 'w' })
  expect(more).toEqual([])
  expect(recordsToAdd([second], { record: undefined, classes: CLASSES, writer: 'w2' })).toEqual([added])
  expect(recordsToAdd([second], { record: undefined, classes: CLASSES, writer: 'w' })).toEqual([])
  expect(notedRanges([added!], 'a.ts')).toEqual([])
  expect([...notedClasses([first, added!])]).toEqual([...CLASSES])
  expect([isIntactNote(added!), schemaFaults(added)]).toEqual([true, []])
  expect(JSON.stringify(added)).not.toContain('"writer"')
})

test('nothing is added to a note that has the classes, and to a commit without a note', () => {
  const record = withClasses(recordOf('person'), CLASSES)
  expect(recordsToAdd([record], { record, classes: CLASSES, writer: 'w' })).toEqual([])
  expect(recordsToAdd([], { record: recordOf('unknown'), classes: CLASSES, writer: 'w' })).toEqual([])
  expect(recordsToAdd([], { record: undefined, classes: CLASSES, writer: 'w' })).toEqual([])
  expect(
    recordsToAdd([recordOf('person')], { record: undefined, classes: new Map([['gone.ts', FORMAT]]), writer: 'w' }),
  ).toEqual([])
})

test('no record is added for what is unknown alone', () => {
  const classes = new Map([['a.ts', changeClass('UNKNOWN', ['why'])]])
  expect(recordsToAdd([recordOf('person')], { record: undefined, classes, writer: 'w' })).toEqual([])
})

test('a record that names more authors keeps the classes that are known', () => {
  const noted = withClasses(recordOf('unknown'), CLASSES)
  const [record] = recordsToAdd([noted], { record: recordOf('person'), classes: new Map(), writer: 'w' })
  expect([...notedClasses([record!])]).toEqual([...CLASSES])
})

function recordOf(attribution: 'person' | 'unknown', writer = 'w'): CommitRecord {
  const type = attribution === 'person' ? 'human' : 'unknown'
  const line = {
    at: 1,
    bytes: Buffer.from('text'),
    contributor: { type },
    session: null,
    intent: null,
    attribution,
  } as const
  const files = ['a.ts', 'b.ts'].map(path =>
    notedFile({ path, from: null, before: 'b', after: 'c', lines: [line] }, hasher),
  )
  const head = { writer, seq: 1, hash: writer }
  const timestamp = '2026-01-01T00:00:00.000Z'
  return commitRecord(files, { commit: 'c'.repeat(40), timestamp, version: '1', head })
}
