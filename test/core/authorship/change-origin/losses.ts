import type { OriginFacts } from '../../../../src/core/authorship/change-origin/facts.ts'
import { gone } from './worlds.ts'

/** A situation in which kotef is wrong. */
export type Loss = {
  readonly situation: string
  readonly facts: Partial<OriginFacts>
  /** The row that decides wrongly, and who made the change in truth. */
  readonly rule: string
  readonly truth: 'git' | 'person'
}

const old = { contentAge: 'before-epoch' } as const
const created = { ...old, existed: false, status: 'untracked' } as const
const lost = { ...gone, gitHadFile: true } as const

/** Situations in which kotef is wrong. To all that it gathers, they look like those that the row is for. */
export const losses: readonly Loss[] = [
  {
    situation: 'an older content of git’s is typed back within a git command, or its event is late and git works on',
    facts: old,
    rule: 'restored',
    truth: 'person',
  },
  {
    situation: 'an older content of git’s is copied and staged in one go, outside of an agent’s calls',
    facts: { ...old, status: 'staged' },
    rule: 'restored',
    truth: 'person',
  },
  {
    situation: 'an agent’s call stages an older content within a merge or pick that has stopped',
    facts: { ...old, status: 'staged', writtenInCall: true, isMidOperation: true },
    rule: 'restored',
    truth: 'person',
  },
  {
    situation: 'a folder that git has just written in is moved, and more is put into it and staged at once',
    facts: { ...created, status: 'staged' },
    rule: 'new-file-from-git',
    truth: 'person',
  },
  {
    situation: 'a text is typed, and a failing merge takes it away and puts it back within milliseconds',
    facts: { contentAge: 'this-epoch', firstBroughtBy: 'git' },
    rule: 'made-by-git',
    truth: 'person',
  },
  {
    situation: 'a text is staged on the way to another, or committed and taken away at once, and comes back later',
    facts: { ...old, status: 'clean' },
    rule: 'restored',
    truth: 'person',
  },
  {
    situation: 'a text is staged and packed (gc) before it is inspected',
    facts: { ...created, status: 'staged' },
    rule: 'new-file-from-git',
    truth: 'person',
  },
  {
    situation: 'an old content is moved, and put into a stash before it is inspected',
    facts: { ...created, inStash: true },
    rule: 'from-stash',
    truth: 'person',
  },
  {
    situation: 'a file is staged and deleted, index and all, while no daemon runs',
    facts: { ...gone, existed: false, differs: false },
    rule: 'unchanged',
    truth: 'person',
  },
  {
    situation: 'a file is deleted within milliseconds of a reset that let its path go, or brought it back',
    facts: { ...lost, removedBy: 'git' },
    rule: 'removed-by-git',
    truth: 'person',
  },
  {
    situation: 'a file is staged, and moved or deleted by hand in the moment in which HEAD moves',
    facts: { ...lost, headMovedByGit: true },
    rule: 'removed-as-head-moved',
    truth: 'person',
  },
  {
    situation:
      'a file is deleted within a second of a stash that has it, or of a stash that was put away in a conflict',
    facts: { ...lost, takenByStash: true },
    rule: 'taken-by-stash',
    truth: 'person',
  },
  {
    situation: '`restore --source` removes a path that the source does not have',
    facts: { ...lost, status: 'dirty' },
    rule: 'removed-by-hand',
    truth: 'git',
  },
  {
    situation: 'a file is typed over and staged, and git takes it away while no daemon runs',
    facts: { ...lost, status: 'staged' },
    rule: 'removed',
    truth: 'git',
  },
  {
    situation: 'git removes what no commit has (`checkout -f`, `reset --hard`) before the index that had it was read',
    facts: gone,
    rule: 'removed-unknown-to-git',
    truth: 'git',
  },
  {
    situation:
      'git removes, while no daemon runs, what only the index had, and only since a second before a daemon was killed',
    facts: gone,
    rule: 'removed-unknown-to-git',
    truth: 'git',
  },
  {
    situation:
      'a squash or `cherry-pick -n` brings a text of no other worktree, which is committed before AUTO_MERGE is seen',
    facts: { contentAge: 'this-epoch', status: 'clean', firstBroughtBy: 'commit' },
    rule: 'typed-and-staged',
    truth: 'git',
  },
  {
    situation: 'a squash removes a file, and is committed with another message than git’s before SQUASH_MSG is seen',
    facts: { ...lost, status: 'clean', removedBy: 'commit' },
    rule: 'removed-and-committed',
    truth: 'git',
  },
  {
    situation:
      'git removes a file (`revert`), a soft `reset` takes that back, and a commit leaves the file out at once',
    facts: { ...lost, status: 'clean', removedBy: 'commit' },
    rule: 'removed-and-committed',
    truth: 'git',
  },
  {
    situation: 'a file is restored, and left untracked by a `reset` in the same moment',
    facts: created,
    rule: 'untracked',
    truth: 'git',
  },
]

/** What kotef records of a loss, and what it should, as two cells of a table. */
export function recordedFor({ truth }: Loss): string {
  return truth === 'person' ? 'nothing | a person’s change' : 'a person’s change | nothing'
}
