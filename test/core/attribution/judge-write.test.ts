import { expect, test } from 'vitest'
import { judgeWrite, type WriteFacts } from '../../../src/attribution/judge-write.ts'

const known = { oid: 'a', mode: '100644' }
const other = { oid: 'b', mode: '100644' }
const facts: WriteFacts = {
  known,
  disk: other,
  knownFromIndex: false,
  git: 'dirty',
  operation: false,
  bracketed: false,
  stagedAfterwards: false,
}

test.each<[string, Partial<WriteFacts>, ReturnType<typeof judgeWrite>]>([
  ['the same content is nothing', { disk: known, git: 'dirty' }, 'same'],
  ['no file before and none now is nothing', { known: null, disk: null, git: 'clean' }, 'same'],
  ['a file that git has not is a write', { git: 'dirty' }, 'write'],
  ['a new file is a write', { known: null, git: 'untracked' }, 'write'],
  ['a deleted file is a write', { disk: null, git: 'dirty' }, 'write'],
  ['only another mode is a write', { disk: { oid: 'a', mode: '100755' } }, 'write'],
  ['a file that git ignores is not ours', { known: null, git: 'ignored' }, 'ignored'],
  ['what git checked out is not a write', { git: 'clean', bracketed: true }, 'sync'],
  ['what git deleted is not a write', { disk: null, git: 'clean', bracketed: true }, 'sync'],
  ['what was staged after it was written is a write', { git: 'staged', bracketed: true }, 'write'],
  ['what a merge stages is not', { git: 'staged', operation: true, bracketed: true }, 'sync'],
  [
    'written, staged and committed at once is a write',
    { git: 'clean', bracketed: true, stagedAfterwards: true },
    'write',
  ],
  ['undone by hand is a write', { git: 'clean' }, 'write'],
  ['a filter makes bytes differ, not the file', { git: 'clean', knownFromIndex: true }, 'same'],
])('%s', (_, some, verdict) => {
  expect(judgeWrite({ ...facts, ...some })).toBe(verdict)
})
