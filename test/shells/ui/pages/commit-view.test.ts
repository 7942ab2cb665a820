import { expect, test } from 'vitest'
import type { FilePatch, PatchLine } from '../../../../src/core/git/diff/patch.ts'
import type { DiffAuthor } from '../../../../src/shells/ui/pages/commit-facts.ts'
import {
  authorShares,
  changedFile,
  intentShares,
  type KnownOfFile,
} from '../../../../src/shells/ui/pages/commit-view.ts'

const line = (side: PatchLine['side'], at: number, text = `${side} ${at}`): PatchLine => {
  return { side, at, bytes: Buffer.from(text), hash: 0, weight: 0 }
}
const patch = (...hunks: PatchLine[][]): FilePatch => ({ path: 'a', from: null, before: null, after: null, hunks })
const entry = (mode = '100644', oid = '1'.repeat(40)) => ({ mode, oid })
const agent: DiffAuthor = { intent: 'INT-001', author: { kind: 'ai', model: 'm' } }
const person: DiffAuthor = { intent: 'INT-001', author: { kind: 'human', model: null } }

const known: KnownOfFile = {
  entries: { before: entry(), after: entry('100644', '2'.repeat(40)) },
  isGovernance: false,
  authorOf: () => agent,
  room: 100,
}

test('lines below each other of one side and one author are a block', () => {
  const hunk = [line('kept', 1), line('removed', 2), line('removed', 3), line('added', 2), line('added', 3)]
  const authorOf = (at: number) => (at < 5 ? agent : person)
  const { hunks } = changedFile(patch([...hunk, line('added', 4), line('added', 5)]), { ...known, authorOf })
  expect(hunks[0]?.map(it => [it.side, it.by, it.lines.map(of => of.number)])).toEqual([
    ['kept', null, [1]],
    ['removed', null, [2, 3]],
    ['added', agent, [2, 3, 4]],
    ['added', person, [5]],
  ])
})

test('as many lines as there is room for, and the counts of all', () => {
  const hunks = [
    [line('added', 1), line('added', 2)],
    [line('removed', 9), line('added', 9)],
  ]
  for (let room = 0; room <= 5; room++) {
    const file = changedFile(patch(...hunks), { ...known, room })
    const shown = file.hunks.flat().reduce((sum, it) => sum + it.lines.length, 0)
    expect([room, shown, file.leftOut]).toEqual([room, Math.min(room, 4), Math.max(0, 4 - room)])
    expect(file).toMatchObject({ added: 3, removed: 1 })
    expect(file.hunks.every(it => it.length > 0)).toBe(true)
  }
})

test('a line of a megabyte is cut', () => {
  const { hunks } = changedFile(patch([line('added', 1, 'x'.repeat(1_000_000))]), known)
  expect(hunks[0]?.[0]?.lines[0]?.text.length).toBeLessThan(3_000)
})

const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const other = '2'.repeat(40)

test.each<[words: string[], before: ReturnType<typeof entry> | null, after: ReturnType<typeof entry> | null]>([
  [['new', 'binary'], null, entry()],
  [['removed', 'binary'], entry(), null],
  [['binary'], entry(), entry('100644', other)],
  [['new', 'empty'], null, entry('100644', EMPTY)],
  [['removed', 'empty'], entry('100644', EMPTY), null],
  [['binary'], entry('100644', EMPTY), entry()],
  [[], entry(), entry()],
  [['now executable'], entry(), entry('100755')],
  [['no longer executable'], entry('100755'), entry()],
  [['submodule added, at 1111111111'], null, entry('160000')],
  [['submodule removed, which was at 1111111111'], entry('160000'), null],
  [['submodule moved from 1111111111 to 2222222222'], entry('160000'), entry('160000', other)],
])('a change without lines is %j', (words, before, after) => {
  expect(changedFile(patch(), { ...known, entries: { before, after } }).words).toEqual(words)
})

test.each<[words: string[], before: ReturnType<typeof entry> | null, after: ReturnType<typeof entry> | null]>([
  [['new'], null, entry()],
  [['removed'], entry(), null],
  [['new', 'symbolic link'], null, entry('120000')],
  [['removed', 'symbolic link'], entry('120000'), null],
  [['symbolic link'], entry('120000'), entry('120000', other)],
  [['symbolic link', 'was a file'], entry(), entry('120000', other)],
  [['was a symbolic link'], entry('120000'), entry('100644', other)],
  [[], entry(), entry('100644', other)],
])('a change with lines is %j', (words, before, after) => {
  expect(changedFile(patch([line('added', 1)]), { ...known, entries: { before, after } }).words).toEqual(words)
})

test('the id of the commit of a submodule is no line', () => {
  const entries = { before: null, after: entry('160000') }
  const file = changedFile(patch([line('added', 1, 'Subproject commit 1')]), { ...known, entries })
  expect(file).toMatchObject({ added: 0, hunks: [], leftOut: 0 })
})

test('an author in doubt is counted with the same one without, and the largest share is the first', () => {
  const doubtful = { ...agent, author: { ...agent.author, isDoubtful: true } }
  const counts = [
    { ...person, lines: 4 },
    { ...agent, lines: 3 },
    { ...doubtful, intent: null, lines: 2 },
  ]
  expect(authorShares(counts)).toEqual([
    { author: { kind: 'ai', model: 'm' }, lines: 5, doubtful: 2 },
    { author: { kind: 'human', model: null }, lines: 4, doubtful: 0 },
  ])
  expect(intentShares(counts)).toEqual([
    { intent: 'INT-001', lines: 7 },
    { intent: null, lines: 2 },
  ])
})
