import { expect, test } from 'vitest'
import { type CommitRecord, commitRecord, notedFile, type Authorship } from '../../../src/core/ledger/commit-record.ts'
import { loadHasher } from '../../../src/world/io/files/hasher.ts'
import { judgeNote, untracedLines } from '../../../src/core/rules/judge-note.ts'

const hasher = await loadHasher()
const COMMIT = 'c'.repeat(40)
const person: Authorship = { contributor: { type: 'human' }, session: null, intent: null, attribution: 'person' }
const nobody: Authorship = { contributor: { type: 'unknown' }, session: null, intent: null, attribution: 'unknown' }

/** A note on lines of the text `1\n2\n3\n…`, by number. */
function recordOf(lines: readonly number[], author = person): CommitRecord {
  const noted = lines.map(at => ({ at, bytes: Buffer.from(`${at}`), ...author }))
  const file = { path: 'a', from: null, before: null, after: 'o', lines: noted }
  return commitRecord([notedFile(file, hasher)], { commit: COMMIT, timestamp: 't', version: '1', head: null })
}

const judge = (records: readonly CommitRecord[], text: string, { bad = 0, commit = COMMIT } = {}) =>
  judgeNote({ commit, records, bad, texts: new Map([['a', Buffer.from(text)]]) }, hasher)

test('a note that kotef wrote, for this commit and of its lines, is fine', () => {
  expect(judge([recordOf([1, 2, 4])], '1\n2\n3\n4\n')).toEqual([])
})

test.each<[string, ReturnType<typeof judge>]>([
  ['has a line that kotef did not write', judge([recordOf([1])], '1\n', { bad: 1 })],
  ['is of another commit', judge([recordOf([1])], '1\n', { commit: 'd'.repeat(40) })],
  ['was edited', judge([{ ...recordOf([1]), timestamp: 'later' }], '1\n')],
  ['is of other lines', judge([recordOf([1, 2])], '1\nx\n')],
  ['is of more lines than there are', judge([recordOf([1, 2])], '1\n')],
])('a note that %s is found, and blocks', (_, findings) => {
  expect(findings.map(it => `${it.level} ${it.rule}`)).toEqual(['block note-edited'])
})

test('of every small choice of added and noted lines, those are found that no note knows', () => {
  const all = [1, 2, 3]
  const choices = Array.from({ length: 8 }, (_, bits) => all.filter(it => bits & (1 << (it - 1))))
  for (const added of choices)
    for (const noted of choices) {
      const [finding] = untracedLines([recordOf(noted)], 'a', added)
      const missing = added.filter(it => !noted.includes(it))
      const expected =
        missing.length === 0
          ? undefined
          : missing.length === 1
            ? `line ${missing[0]} of a`
            : `line ${missing[0]} and ${missing.length - 1} more of a`
      const which = `${added.join()} noted ${noted.join()}`
      expect(finding?.message.slice(finding.message.indexOf('line')), which).toBe(expected)
    }
})

test('a note that does not know who wrote a line says nothing of it', () => {
  expect(untracedLines([recordOf([1], nobody)], 'a', [1])).toHaveLength(1)
})
