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
  origin: 'never',
  maker: null,
  blobFirst: false,
  stashed: false,
  conflicted: false,
}
const gone = { disk: null, origin: 'old' } as const

type Verdict = ReturnType<typeof judgeWrite>

test.each<[string, Partial<WriteFacts>, Verdict]>([
  ['the same content is nothing', { disk: known }, 'same'],
  ['no file before and none now is nothing', { known: null, disk: null, git: 'clean' }, 'same'],
  ['a file that git ignores is not ours', { known: null, git: 'ignored' }, 'ignored'],
  ['a filter makes bytes differ, not the file', { git: 'clean', knownFromIndex: true }, 'same'],
  ['what git does not know was typed, even while it works', {}, 'write'],
  ['a new file is a write', { known: null, git: 'untracked' }, 'write'],
  ['a new file is a write, even if its text is an old one', { known: null, git: 'untracked', origin: 'old' }, 'write'],
  ['a new file from a stash is not', { known: null, git: 'untracked', origin: 'old', stashed: true }, 'sync'],
  ['what was undone by hand is a write', { git: 'clean', origin: 'old', bracketed: false }, 'write'],
  ['other rights are a write', { disk: { oid: 'a', mode: '100755' }, origin: 'old', bracketed: false }, 'write'],
  ['what git checked out is not', { git: 'clean', origin: 'old' }, 'sync'],
  ['nor what it took from another commit', { git: 'staged', origin: 'old' }, 'sync'],
  ['nor what it brought back and left unstaged', { origin: 'old' }, 'sync'],
  [
    'a new file that a switch brought and a reset left is not',
    { known: null, git: 'untracked', origin: 'old', maker: 'git' },
    'sync',
  ],
])('%s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, ...some })).toBe(verdict)
})

test.each<[string, Partial<WriteFacts>, Verdict]>([
  ['and nobody committed was typed', {}, 'write'],
  ['and was told of stood here before', { origin: 'told' }, 'sync'],
  ['and was told of, untracked, too', { known: null, git: 'untracked', origin: 'told' }, 'sync'],
  ['by a plain commit was typed', { git: 'clean', maker: 'hand' }, 'write'],
  ['by a plain commit that was taken back was typed', { maker: 'hand' }, 'write'],
  ['by a merge was not', { maker: 'git' }, 'sync'],
  ['by a merge was not, whatever stood there before', { maker: 'git', conflicted: true }, 'sync'],
  ['by a stopped rebase may be either: with the file, it was git', { maker: 'both', blobFirst: true }, 'sync'],
  ['by a stopped rebase, after the file, was typed', { maker: 'both' }, 'write'],
  [
    'by a stopped rebase, in place of a conflict, was typed',
    { maker: 'both', blobFirst: true, conflicted: true },
    'write',
  ],
  ['by a stash, and was never told of, was typed', { known: null, git: 'untracked', stashed: true }, 'write'],
])('what git came to have since all was at rest %s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, origin: 'fresh', ...some })).toBe(verdict)
})

test.each<[string, Partial<WriteFacts>, Verdict]>([
  ['that git still has is a write', { git: 'dirty' }, 'write'],
  ['that git has no more is not', { git: 'clean' }, 'sync'],
  ['that git never had is a write', { git: 'clean', bracketed: false }, 'write'],
  ['that a commit by hand deletes is a write', { git: 'clean', maker: 'hand' }, 'write'],
  ['that is staged as deleted is a write', { git: 'staged' }, 'write'],
  ['that a merge staged as deleted is not', { git: 'staged', maker: 'git' }, 'sync'],
  ['that a stash has without it is not', { git: 'dirty', maker: 'git' }, 'sync'],
  ['that went into a stash is not', { git: 'clean', stashed: true }, 'sync'],
])('a loss %s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, ...gone, ...some })).toBe(verdict)
})

test('out of git’s working hours, every other content is a write, whatever else is known of it', () => {
  const all = {
    git: ['clean', 'staged', 'dirty', 'untracked'],
    origin: ['old', 'told', 'fresh', 'never'],
  } as const
  for (const git of all.git)
    for (const origin of all.origin)
      for (const maker of ['git', 'hand', 'both', null] as const)
        for (const stashed of [true, false])
          expect(judgeWrite({ ...facts, bracketed: false, git, origin, maker, stashed, blobFirst: true })).toBe('write')
})
