import { branchTips } from '../git/commit-graph.ts'
import { isAncestor, resolveCommit } from '../git/revisions.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { CommitFinding } from '../report/verification.ts'
import type { VerifyRange } from './verify-range.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A push: the ranges to judge, and findings about references that it must not move. */
export type PushRanges = { readonly ranges: readonly VerifyRange[]; readonly findings: readonly CommitFinding[] }

/** Reads git's input to a pre-receive hook: a line for each reference, with its old and its new value. */
export async function readPush(workspace: Pick<Workspace, 'git'>, lines: string): Promise<PushRanges> {
  const updates = lines.split('\n').flatMap(parseRefUpdate)
  const moves = updates.filter(it => APPEND_ONLY_REFS.test(it.name))
  const rewound = await Promise.all(moves.map(it => rewindFindings(workspace, it)))
  const branches = updates.filter(
    it => it.next !== null && !APPEND_ONLY_REFS.test(it.name) && !UNJUDGED_REFS.test(it.name),
  )
  const ranges = await Promise.all(branches.map(it => rangesOfUpdate(workspace, it)))
  return { ranges: ranges.flat(), findings: rewound.flat() }
}

// The references that kotef itself writes may only be added to.
const APPEND_ONLY_REFS = /^refs\/(?:notes\/kotef$|notes\/kotef\/|kotef\/)/
const UNJUDGED_REFS = /^refs\/(?:tags|notes)\//

type RefUpdate = { readonly name: string; readonly old: string | null; readonly next: string | null }

function parseRefUpdate(line: string): RefUpdate[] {
  if (line === '') return []
  const [, old = '', next = '', name = ''] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (.+)$/s.exec(line) ?? []
  if (name !== '') return [{ name, old: nullIfZero(old), next: nullIfZero(next) }]
  throw new KotefError('usage', `${printable(line)} is not a line of git's input to a pre-receive hook.`, {
    hint: 'Let git call kotef: `docs/verify.md` shows how to install the hook.',
  })
}

function nullIfZero(oid: string): string | null {
  return /^0+$/.test(oid) ? null : oid
}

// Commits that only a tag has were never judged, so a new branch is compared with branches alone.
async function rangesOfUpdate({ git }: Pick<Workspace, 'git'>, { name, old, next }: RefUpdate): Promise<VerifyRange[]> {
  const to = await git.tryAsk(resolveCommit(next ?? ''))
  if (to === null) return []
  if (old !== null) return [{ name, from: old, base: old, to, without: [old] }]
  // The server's HEAD may name a branch that was never pushed.
  const base = (await git.tryAsk(resolveCommit('HEAD'))) ?? (await git.ask(branchTips(1)))[0] ?? null
  return [{ name, from: null, base, to, without: ['--branches'] }]
}

async function rewindFindings(
  { git }: Pick<Workspace, 'git'>,
  { name, old, next }: RefUpdate,
): Promise<CommitFinding[]> {
  if (old === null || (next !== null && (await git.tryAsk(isAncestor(old, next))))) return []
  const effect = next === null ? 'is to be deleted' : 'would lose what it has'
  const fetchedRef = PLAIN_REF_NAME.test(name) ? name : "'refs/notes/*'"
  return [
    {
      rule: 'notes-rewound',
      level: 'block',
      path: null,
      message: `${printable(name)} ${effect}, and it may only be added to`,
      hint: `Fetch it, add to it, and push again: \`git fetch origin ${fetchedRef}\``,
      commit: null,
      subject: null,
    },
  ]
}

const PLAIN_REF_NAME = /^[\w./-]+$/
