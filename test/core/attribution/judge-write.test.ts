import { expect, test } from 'vitest'
import { judgeWrite, type WriteFacts } from '../../../src/attribution/judge-write.ts'

const known = { oid: 'a', mode: '100644' }
const other = { oid: 'b', mode: '100644' }
/** A file changed while git was at work, to a content that it did not know. */
const facts: WriteFacts = {
  known,
  disk: other,
  knownFromIndex: false,
  git: 'dirty',
  bracketed: true,
  learnt: 'never',
  maker: null,
  stepped: false,
  stashed: false,
  conflicted: false,
}
const gone = { disk: null, learnt: 'at-once' } as const

type Verdict = ReturnType<typeof judgeWrite>

test.each<[string, Partial<WriteFacts>, Verdict]>([
  ['the same content is nothing', { disk: known }, 'same'],
  ['no file before and none now is nothing', { known: null, disk: null, git: 'clean' }, 'same'],
  ['a file that git ignores is not ours', { known: null, git: 'ignored' }, 'ignored'],
  ['a filter makes bytes differ, not the file', { git: 'clean', knownFromIndex: true }, 'same'],
  ['what git does not know was typed, even while it works', {}, 'write'],
  ['a new file is a write', { known: null, git: 'untracked' }, 'write'],
  [
    'a new file is a write, even if its text is an old one',
    { known: null, git: 'untracked', learnt: 'before' },
    'write',
  ],
  ['a new file from a stash is not', { known: null, git: 'untracked', learnt: 'before', stashed: true }, 'sync'],
  ['what was undone by hand is a write', { git: 'clean', learnt: 'before', bracketed: false }, 'write'],
  ['other rights are a write', { disk: { oid: 'a', mode: '100755' }, learnt: 'before', bracketed: false }, 'write'],
  ['what git checked out is not', { git: 'clean', learnt: 'before' }, 'sync'],
  ['nor what it took from another commit', { git: 'staged', learnt: 'before' }, 'sync'],
  ['nor what it brought back and left unstaged', { learnt: 'before' }, 'sync'],
  ['what was staged after it was written is a write', { git: 'staged', learnt: 'after' }, 'write'],
  ['what was committed after it was written is a write', { git: 'clean', learnt: 'after', maker: 'hand' }, 'write'],
  ['a patch that became a commit is not', { git: 'clean', learnt: 'after', maker: 'git' }, 'sync'],
  [
    'a conflict resolved by hand is a write',
    { git: 'clean', learnt: 'after', maker: 'git', conflicted: true },
    'write',
  ],
])('%s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, ...some })).toBe(verdict)
})

test.each<[string, Partial<WriteFacts>, Verdict]>([
  ['a merge that stops at a conflict is not a write', { git: 'dirty' }, 'sync'],
  ['what was committed by hand is a write', { git: 'clean', maker: 'hand' }, 'write'],
  ['what was committed by hand, and taken back from the index, too', { git: 'dirty', maker: 'hand' }, 'write'],
  ['what came by a move of HEAD is not', { git: 'clean' }, 'sync'],
  ['what was staged is a write', { git: 'staged' }, 'write'],
  ['what a merge staged is not', { git: 'staged', maker: 'git' }, 'sync'],
  ['what a step of a rebase staged is not', { git: 'staged', stepped: true }, 'sync'],
  ['a resolved conflict is a write', { git: 'staged', stepped: true, conflicted: true }, 'write'],
  ['a resolved conflict is a write, when it is committed too', { git: 'clean', conflicted: true }, 'write'],
  ['a new file is a write', { known: null, git: 'untracked' }, 'write'],
])('file and blob within a tick: %s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, learnt: 'at-once', ...some })).toBe(verdict)
})

test.each<[string, Partial<WriteFacts>, Verdict]>([
  ['that git still has is a write', { git: 'dirty' }, 'write'],
  ['that git has no more is not', { git: 'clean' }, 'sync'],
  ['that git never had is a write', { git: 'clean', bracketed: false }, 'write'],
  ['that a commit by hand deletes is a write', { git: 'clean', maker: 'hand' }, 'write'],
  ['that is staged as deleted is a write', { git: 'staged' }, 'write'],
  ['that a merge staged as deleted is not', { git: 'staged', maker: 'git' }, 'sync'],
  ['that a stash has without it is not', { git: 'dirty', stashed: true }, 'sync'],
  ['that went into a stash is not', { git: 'clean', stashed: true }, 'sync'],
])('a loss %s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, ...gone, ...some })).toBe(verdict)
})

test('out of git’s working hours, every other content is a write, whatever else is known of it', () => {
  const all = {
    git: ['clean', 'staged', 'dirty', 'untracked'],
    learnt: ['before', 'at-once', 'after', 'never'],
  } as const
  for (const git of all.git)
    for (const learnt of all.learnt)
      for (const maker of ['git', 'hand', null] as const)
        for (const stashed of [true, false])
          expect(judgeWrite({ ...facts, bracketed: false, git, learnt, maker, stashed, stepped: true })).toBe('write')
})
