import { join } from 'node:path'
import { hasReferences, mergeBase, resolveCommit } from '../git/revisions.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A range of history: the commits that `to` reaches and none of `without` does. */
export type VerifyRange = {
  /** The name in reports: the user's words, or the reference that a push moves. */
  readonly name: string
  /** The commit before the range; null when there is not exactly one. */
  readonly from: string | null
  /** The commit whose policy judges commits with no governed commit before them; null for none. */
  readonly base: string | null
  readonly to: string
  /** Commits, or options of git for several: `--remotes`, `--branches`. */
  readonly without: readonly string[]
}

/** The range for `A..B`, `A...B` or one revision `B`; without words, the unpublished commits of HEAD. */
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

/** The range between two commits. Throws when a shallow clone hides where the range begins. */
export async function rangeBetween(
  workspace: Workspace,
  { name, from, to, isSymmetric = false }: RangeEnds,
): Promise<VerifyRange> {
  const base = await workspace.git.tryAsk(mergeBase(from, to))
  if (!base && (await isShallow(workspace)))
    throw shallowError(`${name}: this shallow clone does not have the common ancestor of both ends.`)
  if (!base && isSymmetric) throw unknownRangeError(`${name}: the two ends have no common ancestor.`)
  return { name, from: isSymmetric ? base : from, base: from, to, without: [from] }
}

/** The commit that a revision names, as the user typed it. */
export async function resolveRangeEnd({ git }: Workspace, revision: string): Promise<string> {
  const commit = await git.tryAsk(resolveCommit(revision))
  if (commit) return commit
  if (revision === 'HEAD') throw unknownRangeError('HEAD has no commit yet.', 'Commit something first.')
  throw unknownRangeError(`There is no commit ${printable(revision)} in this clone.`)
}

async function unpublishedRange(workspace: Workspace, revision: string): Promise<VerifyRange> {
  const to = await resolveRangeEnd(workspace, revision)
  const upstream = await workspace.git.tryAsk(resolveCommit(`${revision}@{upstream}`))
  if (upstream) return rangeBetween(workspace, { name: `${revision}@{upstream}..${revision}`, from: upstream, to })
  if (await workspace.git.ask(hasReferences('refs/remotes'))) {
    const base = await workspace.git.tryAsk(resolveCommit('refs/remotes/origin/HEAD'))
    return { name: `${revision} without the commits of remotes`, from: null, base, to, without: ['--remotes'] }
  }
  const trunk = await findTrunk(workspace, to)
  return trunk
    ? rangeBetween(workspace, { name: `${trunk.name}..${revision}`, from: trunk.oid, to })
    : wholeHistoryRange(revision, to)
}

/** The range of all commits that a commit reaches. */
export function wholeHistoryRange(name: string, to: string): VerifyRange {
  return { name: `all of ${name}`, from: null, base: null, to, without: [] }
}

// Without a remote, only its name shows which branch is the default one.
async function findTrunk({ git }: Workspace, but: string): Promise<{ name: string; oid: string } | null> {
  for (const name of ['main', 'master']) {
    const oid = await git.tryAsk(resolveCommit(`refs/heads/${name}`))
    if (oid) return oid === but ? null : { name, oid }
  }
  return null
}

/** The commits at which a shallow clone ends. */
export async function readShallowEnds({ files, commonDir }: Workspace): Promise<ReadonlySet<string>> {
  const lines = (await files.read(join(commonDir, 'shallow')))?.toString('latin1').split('\n') ?? []
  return new Set(lines.filter(it => it !== ''))
}

async function isShallow(workspace: Workspace): Promise<boolean> {
  return (await readShallowEnds(workspace)).size > 0
}

/** The error for a judgement that a shallow clone does not allow. */
export function shallowError(message: string): KotefError {
  return new KotefError('history-shallow', message)
}

function unknownRangeError(message: string, hint?: string): KotefError {
  return new KotefError('range-unknown', message, hint === undefined ? {} : { hint })
}
