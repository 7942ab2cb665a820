import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { NeededFact, TargetFact } from '../../core/agents/gate/judge-target.ts'
import type { TargetLocation } from '../../core/agents/gate/target-rows.ts'
import { isWithin } from '../../world/io/files/real-path.ts'
import { askGitDirectly, findIgnored } from '../../world/io/git/run-git.ts'
import type { LightWorktree } from './governed-worktree.ts'
import { hiddenByNewFiles, type TrackedAmong, trackedFilesIn } from '../../world/io/git/ignore-sources.ts'
import { maybeIgnored } from '../../world/io/git/maybe-ignored.ts'
import { findTemporaryFolders, isInOtherRepository, temporaryFolderOf } from './temporary-folders.ts'

/** What a gatherer is asked: of which locations a fact is true. */
export type LocationQuestion = {
  readonly worktree: LightWorktree
  readonly of: readonly Pick<NeededFact, 'location' | 'target'>[]
  /** All targets of the call. */
  readonly targets: readonly TargetFact[]
}

/** The locations of temporary files that every agent may write. */
export async function temporaryAmong(question: LocationQuestion): Promise<Set<TargetLocation>> {
  const { worktree } = question
  const folders = await findTemporaryFolders()
  return freeAmong(question, async ({ at }) => {
    const folder = temporaryFolderOf(at, folders)
    return folder !== null && !isAbove(worktree, at) && !(await isInOtherRepository(at, folder))
  })
}

/** The locations that git ignores, and that neither the index nor HEAD has. */
export async function ignoredAmong(question: LocationQuestion): Promise<Set<TargetLocation>> {
  const paths = await freeIgnored(
    question.worktree,
    candidatesOf(question).map(it => it.path),
  )
  return freeAmong(question, async it => paths.has(it.path))
}

type Candidate = {
  readonly location: TargetLocation
  /** The path that git is asked about, relative to the worktree; for a folder that will be made, one in it. */
  readonly path: string
  /** The absolute path. */
  readonly at: string
  readonly target: TargetFact
}

function candidatesOf({ worktree, of }: LocationQuestion): Candidate[] {
  return of.flatMap(({ location, target }) => {
    if (!('path' in location)) return []
    // Git ignores a folder by a pattern such as `dist/`, but only when it is there.
    const path = target.makesFolder ? join(location.path, 'file') : location.path
    return [{ location, path, at: resolve(worktree.root, location.path), target }]
  })
}

async function freeAmong(
  question: LocationQuestion,
  isFree: (it: Candidate) => Promise<boolean>,
): Promise<Set<TargetLocation>> {
  const home = await realpath(homedir()).catch(() => homedir())
  const free = candidatesOf(question).map(async it => {
    const isIt = !isDotFileOf(home, it.at) && (await isFree(it)) && !(await isSharedFile(question, it))
    return isIt ? [it.location] : []
  })
  return new Set((await Promise.all(free)).flat())
}

// Who removes or renames a folder above the repository changes the repository.
function isAbove({ root, gitDir, commonDir }: LightWorktree, path: string): boolean {
  return [root, gitDir, commonDir].some(it => isWithin(path, it))
}

async function freeIgnored(worktree: LightWorktree, asked: readonly string[]): Promise<Set<string>> {
  const { root } = worktree
  const paths = await maybeIgnored(worktree, asked)
  if (paths.length === 0) return new Set()
  // A file of attributes acts on its whole folder, so that must be ignored too.
  const folders = paths.filter(it => GIT_SETTINGS.test(it)).map(it => dirname(it))
  // By its own rules, because an agent's command may have set `core.excludesFile`.
  const ignored = new Set(await findIgnored(root, [...new Set([...paths, ...folders])], { byOwnRules: true }))
  const found = paths.filter(it => ignored.has(it) && (!GIT_SETTINGS.test(it) || ignored.has(dirname(it))))
  if (found.length === 0) return new Set()
  const [committed, hooks, hidden] = await Promise.all([
    pathsInHead(root, found),
    hooksFolder(root),
    hiddenByNewFiles(root, found, trackedAmong(root)),
  ])
  const isFree = async (path: string) =>
    !committed.has(path) &&
    !hidden.has(path) &&
    hooks !== null &&
    !isWithinOrSame(hooks, join(root, path)) &&
    !isWithin(join(root, path), hooks) &&
    !(await isInOtherRepository(join(root, path), root))
  const free = await Promise.all(found.map(async it => ((await isFree(it)) ? [it] : [])))
  return new Set(free.flat())
}

function trackedAmong(root: string): TrackedAmong {
  return async paths => (await askGitDirectly(root, trackedFilesIn(paths))) ?? []
}

const GIT_SETTINGS = /(?:^|\/)\.git[^/]*$/i

/** Those of some paths, and what is below them, that HEAD has. Of paths below each other the uppermost is asked for. */
async function pathsInHead(root: string, paths: readonly string[]): Promise<Set<string>> {
  const known = new Set(paths)
  const tops = paths.filter(it => !ancestorsOf(it).some(above => known.has(above)))
  const args = ['ls-tree', '-r', '-t', '-z', '--name-only', '--full-tree', 'HEAD', '--', ...tops]
  return new Set(await askGitDirectly(root, { args, parse: out => out.split('\0') }))
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path)
  return above === '.' || above === '/' ? [] : [above, ...ancestorsOf(above)]
}

async function hooksFolder(root: string): Promise<string | null> {
  const args = ['rev-parse', '--git-path', 'hooks']
  const found = await askGitDirectly(root, { args, parse: out => resolve(root, out.trimEnd()) })
  return found === null ? null : realpath(found).catch(() => found)
}

/** True for a file that is written under another name too, and for one that the same call may turn into a link. */
export async function isSharedFile(
  { worktree: { root }, targets }: Pick<LocationQuestion, 'worktree' | 'targets'>,
  { at, target }: Pick<Candidate, 'at' | 'target'>,
): Promise<boolean> {
  const stat = await lstat(at).catch(() => null)
  if (stat?.isFile() && stat.nlink > 1 && target.currentOidsBelow === undefined) return true
  const pathsOf = (facts: readonly TargetFact[]) =>
    facts.flatMap(fact => fact.locations.flatMap(it => ('path' in it ? [resolve(root, it.path)] : [])))
  const made = new Set(pathsOf(targets.filter(it => it.makesFolder)))
  const above = pathsOf(targets.filter(it => it !== target)).filter(it => isWithin(it, at) && !made.has(it))
  const stats = await Promise.all(above.map(it => lstat(it).catch(() => null)))
  return stats.some(it => !it?.isDirectory())
}

function isDotFileOf(home: string, path: string): boolean {
  return isWithin(home, path) && relative(home, path).startsWith('.')
}

function isWithinOrSame(folder: string, path: string): boolean {
  return folder === path || isWithin(folder, path)
}
