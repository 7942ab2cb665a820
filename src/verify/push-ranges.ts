import { branchTips } from '../git/commit-graph.ts'
import { resolveCommit, isAncestor } from '../git/revisions.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { CommitFinding } from '../report/verification.ts'
import type { VerifyRange } from './verify-range.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What a push brings: stretches of history to judge, and references that it may not move as it does. */
export type PushRanges = { readonly ranges: readonly VerifyRange[]; readonly findings: readonly CommitFinding[] }

/** Reads what git tells a pre-receive hook: a line for each reference, with its old value and its new one. */
export async function readPush(workspace: Pick<Workspace, 'git'>, lines: string): Promise<PushRanges> {
  const updates = lines.split('\n').flatMap(parseRefUpdate)
  const moves = updates.filter(it => APPEND_ONLY_REFS.test(it.name))
  const rewound = await Promise.all(moves.map(it => rewindFindings(workspace, it)))
  const branches = updates.filter(
    it => it.anew !== null && !APPEND_ONLY_REFS.test(it.name) && !UNJUDGED_REFS.test(it.name),
  )
  const ranges = await Promise.all(branches.map(it => rangesOfUpdate(workspace, it)))
  return { ranges: ranges.flat(), findings: rewound.flat() }
}

// What kotef itself keeps in references is only added to.
const APPEND_ONLY_REFS = /^refs\/(?:notes\/kotef$|notes\/kotef\/|kotef\/)/
const UNJUDGED_REFS = /^refs\/(?:tags|notes)\//

type RefUpdate = { readonly name: string; readonly old: string | null; readonly anew: string | null }

function parseRefUpdate(line: string): RefUpdate[] {
  if (line === '') return []
  const [, old = '', anew = '', name = ''] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (.+)$/s.exec(line) ?? []
  if (name !== '') return [{ name, old: nullIfZero(old), anew: nullIfZero(anew) }]
  throw new KotefError('usage', `${printable(line)} is no line that git tells a pre-receive hook.`, {
    hint: 'Have git call it: see `docs/verify.md` for how the hook is put in place.',
  })
}

function nullIfZero(oid: string): string | null {
  return /^0+$/.test(oid) ? null : oid
}

// What a tag alone has was never judged: a branch that is new brings it.
async function rangesOfUpdate({ git }: Pick<Workspace, 'git'>, { name, old, anew }: RefUpdate): Promise<VerifyRange[]> {
  const to = await git.tryAsk(resolveCommit(anew ?? ''))
  if (to === null) return []
  if (old !== null) return [{ name, from: old, base: old, to, without: [old] }]
  // A server may name a branch as its own that nobody has ever pushed.
  const base = (await git.tryAsk(resolveCommit('HEAD'))) ?? (await git.ask(branchTips(1)))[0] ?? null
  return [{ name, from: null, base, to, without: ['--branches'] }]
}

async function rewindFindings(
  { git }: Pick<Workspace, 'git'>,
  { name, old, anew }: RefUpdate,
): Promise<CommitFinding[]> {
  if (old === null || (anew !== null && (await git.tryAsk(isAncestor(old, anew))))) return []
  const effect = anew === null ? 'is to be deleted' : 'would lose what it has'
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
