import { expect, test } from 'vitest'
import { areTwoFiles, LEDGER_HANDLING, type NamedFile, ledgerState } from '../../../src/core/ledger/ledger-names.ts'

const file = (identity: string, size: number): NamedFile => ({ identity, size, isFile: true })
const folder: NamedFile = { identity: 'd', size: 0, isFile: false }

/** The worktree's name, the kept one, whether the longer file begins with the other one, and what is done. */
const rows = [
  ['nothing was recorded yet', null, null, false, 'absent', 'worktree', 'create'],
  ['all is well', file('1', 9), file('1', 9), false, 'linked', 'kept', null],
  ['it is new, or of an older kotef', file('1', 9), null, false, 'worktree-only', 'worktree', 'keep'],
  ['git clean deleted it', null, file('1', 9), false, 'kept-only', 'kept', 'restore'],
  ['a copy of the repository', file('1', 9), file('2', 9), true, 'worktree-behind', 'kept', 'replace-worktree'],
  ['a backup of yesterday', file('1', 5), file('2', 9), true, 'worktree-behind', 'kept', 'replace-worktree'],
  ['an empty file in its place', file('1', 0), file('2', 9), true, 'worktree-behind', 'kept', 'replace-worktree'],
  ['an older kotef wrote into a copy', file('1', 9), file('2', 5), true, 'kept-behind', 'worktree', 'replace-kept'],
  ['an editor saved other text', file('1', 9), file('2', 9), false, 'split', 'kept', null],
  ['a folder in its place', folder, file('1', 9), false, 'not-a-file', 'worktree', null],
  ['a folder and nothing', folder, null, false, 'not-a-file', 'worktree', null],
  ['a folder in place of the kept one', file('1', 9), folder, false, 'not-a-file', 'worktree', null],
  ['a folder and no file', null, folder, false, 'not-a-file', 'worktree', null],
] as const

test.each(rows)('%s', (_, worktree, kept, continues, state, use, repair) => {
  expect(ledgerState({ worktree, kept }, continues)).toBe(state)
  expect(LEDGER_HANDLING[state]).toEqual({ use, repair })
})

test('every state is in a row, and the content is compared only of two files', () => {
  expect([...new Set(rows.map(row => row[4]))].sort()).toEqual(Object.keys(LEDGER_HANDLING).sort())
  for (const [, worktree, kept, , state] of rows)
    expect([state, areTwoFiles({ worktree, kept })]).toEqual([state, /behind|split/.test(state)])
})
