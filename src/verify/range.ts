import { join } from 'node:path'
import { commitNamed, hasReferences, mergeBase } from '../diff/range.ts'
import { KotefError } from '../report/failure.ts'
import { printable } from '../report/printable.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A stretch of history to be judged: what `to` has, and what none of `without` has. */
export type Range = {
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
export async function rangeNamed(workspace: Workspace, words: string | null): Promise<Range> {
  const [, one, dots, other] = /^(.*?)(\.{2,3})(.*)$/s.exec(words ?? '') ?? []
  if (dots === undefined) return sinceUpstream(workspace, words ?? 'HEAD')
  const [from, to] = [await found(workspace, one || 'HEAD'), await found(workspace, other || 'HEAD')]
  return between(workspace, { name: words ?? '', from, to, isSymmetric: dots === '...' })
}

type Ends = { readonly name: string; readonly from: string; readonly to: string; readonly isSymmetric?: boolean }

/** The range between two commits. What they have in common must be there: else nobody knows where it begins. */
export async function between(workspace: Workspace, { name, from, to, isSymmetric = false }: Ends): Promise<Range> {
  const base = await workspace.git.tryAsk(mergeBase(from, to))
  if (!base && (await isShallow(workspace))) throw cutOff(`${name}: what both ends have in common is not here.`)
  if (!base && isSymmetric) throw unknown(`${name}: the two have no commit in common.`)
  return { name, from: isSymmetric ? base : from, base: from, to, without: [from] }
}

/** The commit that a name of the user's means. */
export async function found({ git }: Workspace, revision: string): Promise<string> {
  const commit = await git.tryAsk(commitNamed(revision))
  if (commit) return commit
  if (revision === 'HEAD') throw unknown('HEAD has no commit yet.', 'Commit something first.')
  throw unknown(`There is no commit ${printable(revision)} here.`)
}

async function sinceUpstream(workspace: Workspace, revision: string): Promise<Range> {
  const to = await found(workspace, revision)
  const upstream = await workspace.git.tryAsk(commitNamed(`${revision}@{upstream}`))
  if (upstream) return between(workspace, { name: `${revision}@{upstream}..${revision}`, from: upstream, to })
  if (await workspace.git.ask(hasReferences('refs/remotes'))) {
    const base = await workspace.git.tryAsk(commitNamed('refs/remotes/origin/HEAD'))
    return { name: `${revision}, but for what a remote has`, from: null, base, to, without: ['--remotes'] }
  }
  const trunk = await trunkOf(workspace, to)
  return trunk ? between(workspace, { name: `${trunk.name}..${revision}`, from: trunk.oid, to }) : wholeOf(revision, to)
}

/** All that a commit has. */
export function wholeOf(name: string, to: string): Range {
  return { name: `all of ${name}`, from: null, base: null, to, without: [] }
}

// Without a remote, the branch that others begin at is known by its name only.
async function trunkOf({ git }: Workspace, but: string): Promise<{ name: string; oid: string } | null> {
  for (const name of ['main', 'master']) {
    const oid = await git.tryAsk(commitNamed(`refs/heads/${name}`))
    if (oid) return oid === but ? null : { name, oid }
  }
  return null
}

/** Where a shallow clone ends. */
export async function shallowEnds({ files, commonDir }: Workspace): Promise<ReadonlySet<string>> {
  const lines = (await files.read(join(commonDir, 'shallow')))?.toString('latin1').split('\n') ?? []
  return new Set(lines.filter(it => it !== ''))
}

async function isShallow(workspace: Workspace): Promise<boolean> {
  return (await shallowEnds(workspace)).size > 0
}

/** Says that a shallow clone does not have what it takes. */
export function cutOff(message: string): KotefError {
  return new KotefError('history-shallow', message)
}

function unknown(message: string, hint?: string): KotefError {
  return new KotefError('range-unknown', message, hint === undefined ? {} : { hint })
}
