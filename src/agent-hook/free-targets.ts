import { lstat, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { TargetAuthority, TargetFact, TargetLocation } from '../gate/judge-target.ts'
import type { AgentFreedom } from '../intents/config.ts'
import { isWithin } from '../io/files/real-path.ts'
import { askGitDirectly, findIgnored } from '../io/git/run-git.ts'
import type { LightWorktree } from './governed-worktree.ts'
import { hiddenByNewFiles, type TrackedAmong, trackedFilesIn } from '../io/git/ignore-sources.ts'
import { maybeIgnored } from '../io/git/maybe-ignored.ts'
import { findTemporaryFolders, isInOtherRepository, temporaryFolderOf } from './temporary-folders.ts'
import { isPluginFile } from '../agents/plugin-files.ts'

type FreedomFacts = {
  readonly targets: readonly TargetFact[]
  readonly freedom: AgentFreedom
  readonly authority: Pick<TargetAuthority, 'intent' | 'judge'>
}

/**
 * The targets without the locations that every agent may write: temporary files, and what git ignores. This starts git,
 * so it is called only when a call would be refused.
 */
export async function withoutFreeLocations(worktree: LightWorktree, facts: FreedomFacts): Promise<TargetFact[]> {
  const candidates = facts.targets.map(it => candidatesOf(worktree, it, facts))
  const [temporary, ignored, home] = await Promise.all([
    freeTemporaries(worktree, candidates.flat()),
    freeIgnored(worktree, candidates.flat()),
    realpath(homedir()).catch(() => homedir()),
  ])
  const isFree = async (it: Candidate) =>
    (temporary.has(it.path) || ignored.has(it.path)) &&
    !isDotFileOf(home, it.at) &&
    !(await isSharedFile(worktree, it, facts))
  return Promise.all(
    facts.targets.map(async (target, n) => {
      const free = await Promise.all((candidates[n] ?? []).map(async it => ((await isFree(it)) ? it.location : null)))
      return { ...target, locations: target.locations.filter(it => !free.includes(it)) }
    }),
  )
}

type Candidate = {
  readonly location: TargetLocation
  /** The path that git is asked about, relative to the worktree; for a folder that will be made, one in it. */
  readonly path: string
  /** The absolute path. */
  readonly at: string
  readonly target: TargetFact
}

/** The locations that may be free: a governance file, a plugin's, a forbidden path or one of git never is. */
function candidatesOf({ root }: LightWorktree, target: TargetFact, { freedom, authority }: FreedomFacts): Candidate[] {
  return target.locations.flatMap((location): Candidate[] => {
    if ('path' in location && isPluginFile(location.path)) return []
    if (location.kind === 'outside')
      return freedom.temporary === 'allow' ? [{ location, path: location.path, at: location.path, target }] : []
    if (location.kind !== 'inside' || freedom.ignored === 'deny') return []
    const { kind } = authority.judge(authority.intent.owned_scope, location.path)
    const mayBe = (kind === 'outside' || kind === 'excluded') && !OWN_FILES.test(location.path)
    // Git ignores a folder by a pattern such as `dist/`, but only when it is there.
    const path = target.makesFolder ? join(location.path, 'file') : location.path
    return mayBe ? [{ location, path, at: join(root, location.path), target }] : []
  })
}

// The ledger, the runs and the program of kotef: git ignores them, and still no agent may write them.
const OWN_FILES = new RegExp(
  '^\\.(?:orchestration|sdd|agents-work)(?:/|$)|' +
    '(?:^|/)node_modules(?:/.*)?/(?:kotef-watch(?:@[^/]*)?|\\.bin/kotef[^/]*)(?:/|$)',
  'i',
)

async function freeTemporaries(worktree: LightWorktree, candidates: readonly Candidate[]): Promise<Set<string>> {
  const outside = candidates.filter(it => it.location.kind === 'outside')
  if (outside.length === 0) return new Set()
  const folders = await findTemporaryFolders()
  const isFree = async ({ path }: Candidate) => {
    const folder = temporaryFolderOf(path, folders)
    return folder !== null && !isAbove(worktree, path) && !(await isInOtherRepository(path, folder))
  }
  const free = await Promise.all(outside.map(async it => ((await isFree(it)) ? [it.path] : [])))
  return new Set(free.flat())
}

// Who removes or renames a folder above the repository changes the repository.
function isAbove({ root, gitDir, commonDir }: LightWorktree, path: string): boolean {
  return [root, gitDir, commonDir].some(it => isWithin(path, it))
}

/** The paths that git ignores, and that neither the index nor HEAD has. */
async function freeIgnored(worktree: LightWorktree, candidates: readonly Candidate[]): Promise<Set<string>> {
  const { root } = worktree
  const inside = candidates.flatMap(it => (it.location.kind === 'inside' ? [it.path] : []))
  const paths = await maybeIgnored(worktree, inside)
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
  { root }: Pick<LightWorktree, 'root'>,
  { at, target }: Pick<Candidate, 'at' | 'target'>,
  { targets }: Pick<FreedomFacts, 'targets'>,
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
