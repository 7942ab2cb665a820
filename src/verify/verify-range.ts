import { join } from 'node:path'
import { resolveCommit, hasReferences, mergeBase } from '../git/revisions.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A stretch of history to be judged: what `to` has, and what none of `without` has. */
export type VerifyRange = {
  /** What it is called: as somebody named it, or the reference that a push moves. */
  readonly name: string
  /** Where it begins; null when it has no one beginning. */
  readonly from: string | null
  /** By whose policy commits are judged that have nothing governed before them; null for nobody's. */
  readonly base: string | null
  readonly to: string
  /** Commits, or words that mean several to git: `--remotes`, `--branches`. */
  readonly without: readonly string[]
}

/** The range that words such as `A..B`, `A...B` or one revision mean; without words, what has not been published. */
export async function parseVerifyRange(workspace: Workspace, words: string | null): Promise<VerifyRange> {
  const [, one, dots, other] = /^(.*?)(\.{2,3})(.*)$/s.exec(words ?? '') ?? []
  if (dots === undefined) return unpublishedRange(workspace, words ?? 'HEAD')
  const [from, to] = [
    await resolveRangeEnd(workspace, one || 'HEAD'),
    await resolveRangeEnd(workspace, other || 'HEAD'),
  ]
  return rangeBetween(workspace, { name: words ?? '', from, to, isSymmetric: dots === '...' })
}

type RangeEnds = { readonly name: string; readonly from: string; readonly to: string; readonly isSymmetric?: boolean }

/** The range between two commits. What they have in common must be there: else nobody knows where it begins. */
export async function rangeBetween(
  workspace: Workspace,
  { name, from, to, isSymmetric = false }: RangeEnds,
): Promise<VerifyRange> {
  const base = await workspace.git.tryAsk(mergeBase(from, to))
  if (!base && (await isShallow(workspace))) throw shallowError(`${name}: what both ends have in common is not here.`)
  if (!base && isSymmetric) throw unknownRangeError(`${name}: the two have no commit in common.`)
  return { name, from: isSymmetric ? base : from, base: from, to, without: [from] }
}

/** The commit that a name of the user's means. */
export async function resolveRangeEnd({ git }: Workspace, revision: string): Promise<string> {
  const commit = await git.tryAsk(resolveCommit(revision))
  if (commit) return commit
  if (revision === 'HEAD') throw unknownRangeError('HEAD has no commit yet.', 'Commit something first.')
  throw unknownRangeError(`There is no commit ${printable(revision)} here.`)
}

async function unpublishedRange(workspace: Workspace, revision: string): Promise<VerifyRange> {
  const to = await resolveRangeEnd(workspace, revision)
  const upstream = await workspace.git.tryAsk(resolveCommit(`${revision}@{upstream}`))
  if (upstream) return rangeBetween(workspace, { name: `${revision}@{upstream}..${revision}`, from: upstream, to })
  if (await workspace.git.ask(hasReferences('refs/remotes'))) {
    const base = await workspace.git.tryAsk(resolveCommit('refs/remotes/origin/HEAD'))
    return { name: `${revision}, but for what a remote has`, from: null, base, to, without: ['--remotes'] }
  }
  const trunk = await findTrunk(workspace, to)
  return trunk
    ? rangeBetween(workspace, { name: `${trunk.name}..${revision}`, from: trunk.oid, to })
    : wholeHistoryRange(revision, to)
}

/** All that a commit has. */
export function wholeHistoryRange(name: string, to: string): VerifyRange {
  return { name: `all of ${name}`, from: null, base: null, to, without: [] }
}

// Without a remote, the branch that others begin at is known by its name only.
async function findTrunk({ git }: Workspace, but: string): Promise<{ name: string; oid: string } | null> {
  for (const name of ['main', 'master']) {
    const oid = await git.tryAsk(resolveCommit(`refs/heads/${name}`))
    if (oid) return oid === but ? null : { name, oid }
  }
  return null
}

/** Where a shallow clone ends. */
export async function readShallowEnds({ files, commonDir }: Workspace): Promise<ReadonlySet<string>> {
  const lines = (await files.read(join(commonDir, 'shallow')))?.toString('latin1').split('\n') ?? []
  return new Set(lines.filter(it => it !== ''))
}

async function isShallow(workspace: Workspace): Promise<boolean> {
  return (await readShallowEnds(workspace)).size > 0
}

/** Says that a shallow clone does not have what it takes. */
export function shallowError(message: string): KotefError {
  return new KotefError('history-shallow', message)
}

function unknownRangeError(message: string, hint?: string): KotefError {
  return new KotefError('range-unknown', message, hint === undefined ? {} : { hint })
}
