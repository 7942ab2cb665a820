import { expect, test } from 'vitest'
import { commitRecord } from '../../../src/core/ledger/commit-record.ts'
import { mergeNoteTexts, noteChangeDamage } from '../../../src/core/ledger/note-lines.ts'

const COMMIT = 'a'.repeat(40)
const [ONE, TWO] = ['1', '2'].map(version => recordOf(COMMIT, version)) as [string, string]
const FOREIGN = recordOf('b'.repeat(40), '1')
const EDITED = ONE.replace('"files":[]', '"files": [] ').replace('2026', '2025')

test('two notes merge to the records of both, and the same text stays as it is (team S4)', () => {
  expect(mergeNoteTexts(ONE, TWO)).toBe([ONE, TWO].sort().join(''))
  expect(mergeNoteTexts(`${TWO}${ONE}`, ONE)).toBe(`${TWO}${ONE}`)
  expect(mergeNoteTexts('', ONE)).toBe(ONE)
  expect(mergeNoteTexts(ONE, '')).toBe(ONE)
  expect(mergeNoteTexts('x\n', ONE)).toBe([ONE, 'x\n'].sort().join(''))
})

test('an edited record is replaced by the record as it was written, from whichever side (team S4)', () => {
  expect(mergeNoteTexts(EDITED, ONE)).toBe(ONE)
  expect(mergeNoteTexts(ONE, EDITED)).toBe(ONE)
  expect(mergeNoteTexts(EDITED, '')).toBe(EDITED)
})

test('a changed note may have more records of its commit, and nothing else (team S4)', () => {
  const rows = [
    ['', ONE, 0, 0],
    [ONE, `${TWO}${ONE}`, 0, 0],
    [ONE, '', 1, 0],
    [`${ONE}${TWO}`, TWO, 1, 0],
    [ONE, EDITED, 1, 1],
    [ONE, `${ONE}${EDITED}`, 0, 1],
    [ONE, `${ONE}${FOREIGN}`, 0, 1],
    ['', 'x\n', 0, 1],
    [`x\n${ONE}`, ONE, 0, 0],
    [`${ONE}${EDITED}`, ONE, 0, 0],
  ] as const
  for (const [before, after, lost, foreign] of rows)
    expect(noteChangeDamage(COMMIT, before, after), `${before} -> ${after}`).toEqual({ lost, foreign })
})

function recordOf(commit: string, version: string): string {
  const about = { commit, timestamp: '2026-01-01T00:00:00.000Z', version, head: null }
  return `${JSON.stringify(commitRecord([], about))}\n`
}
