import { commitAndParents, hasReferences, mergeBase, resolveCommit, isAncestor } from '../../core/git/revisions.ts'
import { KotefError } from '../../core/base/failure.ts'
import { printable } from '../../core/base/printable.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { branchTips } from '../../core/git/commit-graph.ts'
import { pushedRefFindings } from './pushed-refs.ts'
import { pushedNotesFindings } from './pushed-notes.ts'
import { deletedBranchFindings } from './replaced-history.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { NOTES_REF } from '../ledger/notes.ts'
import { isDefaultBranch, ownDefaultBranch } from '../io/worktree/default-branch.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import type { VerifyRange } from './range.ts'

const UNKNOWN = { remark: null, target: null, judged: [], movedFrom: null, replaces: null } as const

/**
 * The range for `A..B`, `A...B`, the one commit `B^!`, or one revision `B`; without words, the unpublished commits of
 * HEAD.
 */
export async function parseVerifyRange(workspace: Workspace, words: string | null): Promise<VerifyRange> {
  const [, only] = /^(.+)\^!$/s.exec(words ?? '') ?? []
  if (only !== undefined) return rangeOfCommit(workspace, only)
  const [, one, dots, other] = /^(.*?)(\.{2,3})(.*)$/s.exec(words ?? '') ?? []
  if (dots === undefined) return unpublishedRange(workspace, words ?? 'HEAD')
  const from = await resolveRangeEnd(workspace, one || 'HEAD')
  const to = await resolveRangeEnd(workspace, other || 'HEAD')
  const range = await rangeBetween(workspace, { name: words ?? '', from, to, isSymmetric: dots === '...' })
  return { ...range, replaces: { commit: from, kind: 'range' } }
}

type RangeEnds = { readonly name: string; readonly from: string; readonly to: string; readonly isSymmetric?: boolean }

/** The range between two commits. Throws when a shallow clone hides where the range begins. */
export async function rangeBetween(
  workspace: Workspace,
  { name, from, to, isSymmetric = false }: RangeEnds,
): Promise<VerifyRange> {
  const base = await workspace.git.tryAsk(mergeBase(from, to))
  if (!base && (await readShallowEnds(workspace)).size > 0)
    throw shallowError(`${name}: this shallow clone does not have the common ancestor of both ends.`)
  if (!base && isSymmetric) throw unknownRangeError(`${name}: the two ends have no common ancestor.`)
  return {
    name,
    from: isSymmetric ? base : from,
    base: from,
    to,
    without: [from],
    ...UNKNOWN,
    target: from,
  }
}

/** The commit that a revision names, as the user typed it. */
export async function resolveRangeEnd(workspace: Workspace, revision: string): Promise<string> {
  const commit = await workspace.git.tryAsk(resolveCommit(revision))
  if (commit) return commit
  if (revision === 'HEAD') throw unknownRangeError('HEAD has no commit yet.', 'Commit something first.')
  if ((await readShallowEnds(workspace)).size > 0)
    throw shallowError(`There is no commit ${printable(revision)} in this shallow clone.`)
  // Without remotes there is nothing to fetch.
  const isAlone = !(await workspace.git.ask(hasReferences('refs/remotes')))
  const hint = isAlone ? 'List the commits that this clone has: `git log --oneline`' : undefined
  throw unknownRangeError(`There is no commit ${printable(revision)} in this clone.`, hint)
}

async function unpublishedRange(workspace: Workspace, revision: string): Promise<VerifyRange> {
  const to = await resolveRangeEnd(workspace, revision)
  const upstream = await workspace.git.tryAsk(resolveCommit(`${revision}@{upstream}`))
  if (upstream) {
    const range = await rangeBetween(workspace, { name: `${revision}@{upstream}..${revision}`, from: upstream, to })
    return { ...range, without: [upstream, '--remotes'] }
  }
  if (await workspace.git.ask(hasReferences('refs/remotes'))) {
    const base = await workspace.git.tryAsk(resolveCommit('refs/remotes/origin/HEAD'))
    return {
      name: `${revision} without the commits of remotes`,
      from: null,
      base,
      to,
      without: ['--remotes'],
      ...UNKNOWN,
      target: base,
    }
  }
  const trunk = await findTrunk(workspace, to)
  return trunk
    ? rangeBetween(workspace, { name: `${trunk.name}..${revision}`, from: trunk.oid, to })
    : wholeHistoryRange(revision, to)
}

/** One commit alone, also when it is a merge. */
async function rangeOfCommit(workspace: Workspace, revision: string): Promise<VerifyRange> {
  const to = await resolveRangeEnd(workspace, revision)
  const name = `${revision}^!`
  if ((await readShallowEnds(workspace)).has(to))
    throw shallowError(`${name}: this shallow clone does not have the commit before it.`)
  const [, ...parents] = await workspace.git.ask(commitAndParents(to))
  const from = parents[0] ?? null
  return { name, from, base: from, to, without: parents, ...UNKNOWN }
}

/** A range without commits. */
export function emptyRange(name: string, to: string): VerifyRange {
  return { name, from: to, base: to, to, without: [to], ...UNKNOWN }
}

/** The range of all commits that a commit reaches. */
export function wholeHistoryRange(name: string, to: string): VerifyRange {
  return { name: `all of ${name}`, from: null, base: null, to, without: [], ...UNKNOWN }
}

// Without a remote, only its name shows which branch is the default one.
async function findTrunk({ git }: Workspace, but: string): Promise<{ name: string; oid: string } | null> {
  for (const name of ['main', 'master']) {
    const oid = await git.tryAsk(resolveCommit(`refs/heads/${name}`))
    if (oid) return oid === but ? null : { name, oid }
  }
  return null
}

/** The error for a judgement that a shallow clone does not allow. */
export function shallowError(message: string): KotefError {
  return new KotefError('history-shallow', message)
}

function unknownRangeError(message: string, hint?: string): KotefError {
  return new KotefError('range-unknown', message, hint === undefined ? {} : { hint })
}

/** A push: the ranges to judge, and findings about references that it must not move. */
type PushRanges = { readonly ranges: readonly VerifyRange[]; readonly findings: readonly CommitFinding[] }

/** Reads git's input to a pre-receive hook: a line for each reference, with its old and its new value. */
export async function readPush(workspace: Pick<ScratchWorkspace, 'git' | 'blobs'>, lines: string): Promise<PushRanges> {
  const updates = lines.split('\n').flatMap(parseRefUpdate)
  const moves = updates.filter(it => APPEND_ONLY_REFS.test(it.name))
  const rewound = await Promise.all(moves.map(it => rewindFindings(workspace, it)))
  const refused = await Promise.all(updates.map(it => pushedRefFindings(workspace, it)))
  const branches = updates.filter(
    it => it.next !== null && !APPEND_ONLY_REFS.test(it.name) && !UNJUDGED_REFS.test(it.name),
  )
  const ranges = await Promise.all(branches.map(it => rangesOfUpdate(workspace, it)))
  const deleted = await Promise.all(updates.map(it => deletionFindings(workspace, it)))
  return { ranges: ranges.flat(), findings: [...refused, ...rewound, ...deleted].flat() }
}

// The references that kotef itself writes may only be added to, but for what the clones hold at the moment: a sync
// replaces a claim when its session is active again, and removes it when the session has ended or is silent.
const APPEND_ONLY_REFS = /^refs\/(?:notes\/kotef$|notes\/kotef\/|kotef\/(?!clones\/[^/]+\/claims\/))/
/** References of which a server judges no commits. */
export const UNJUDGED_REFS = /^refs\/(?:tags|notes|replace)\//

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

// The commits of branches were judged when these were pushed; those that only a tag has never were.
async function rangesOfUpdate({ git }: Pick<Workspace, 'git'>, { name, old, next }: RefUpdate): Promise<VerifyRange[]> {
  const to = await git.tryAsk(resolveCommit(next ?? ''))
  if (to === null) return []
  const known = { name, to, ...UNKNOWN, judged: ['--branches'] }
  const trunk = await git.tryAsk(resolveCommit('HEAD'))
  const isDefault = isDefaultBranch(name, await ownDefaultBranch(git, trunk))
  const movedFrom = isDefault ? old : null
  const replaces = replacedTip(old, isDefault)
  if (old !== null) return [{ ...known, from: old, base: old, without: [old, '--branches'], movedFrom, replaces }]
  // The server's HEAD may name a branch that was never pushed.
  const base = trunk ?? (await git.ask(branchTips(1)))[0] ?? null
  return [{ ...known, from: null, base, without: ['--branches'] }]
}

/** The old commit of a reference that is moved; null for a new one. */
export function replacedTip(old: string | null, isDefault: boolean): VerifyRange['replaces'] {
  return old === null ? null : { commit: old, kind: isDefault ? 'default-branch' : 'branch' }
}

// Git refuses that too, unless the server allows it.
async function deletionFindings(
  { git, blobs }: Pick<ScratchWorkspace, 'git' | 'blobs'>,
  { name, old, next }: RefUpdate,
): Promise<CommitFinding[]> {
  if (next !== null || old === null) return []
  const defaults = await ownDefaultBranch(git, await git.tryAsk(resolveCommit('HEAD')))
  return isDefaultBranch(name, defaults) ? deletedBranchFindings({ blobs }, { name, old }) : []
}

async function rewindFindings(
  workspace: Pick<ScratchWorkspace, 'git' | 'blobs'>,
  { name, old, next }: RefUpdate,
): Promise<CommitFinding[]> {
  const isNewer = next !== null && (old === null || (await workspace.git.tryAsk(isAncestor(old, next))))
  if (isNewer) return name === NOTES_REF ? pushedNotesFindings(workspace, { old, next }) : []
  if (old === null) return []
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
