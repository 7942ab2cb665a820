import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import type { Target } from '../../core/agents/tool-targets.ts'
import type { TargetFact } from '../../core/agents/gate/judge-target.ts'
import type { TargetLocation } from '../../core/agents/gate/target-rows.ts'
import { systemErrorCode } from '../../world/io/files/files.ts'
import { blobOidOfFile } from '../../world/io/files/hash-file.ts'
import { isWithin } from '../../world/io/files/real-path.ts'
import { isReference } from './is-reference.ts'

/** The worktree that a call is judged in. */
export type CallLocation = {
  readonly root: string
  readonly gitDir: string
  /** The roots of the clone's other worktrees. */
  readonly others: readonly string[]
  /** The agent's working folder: relative targets start there. */
  readonly cwd: string
  /** The paths whose current oid is needed; absent: every path. */
  readonly comparedPaths?: ReadonlyMap<string, unknown>
}

/** Where each target really is: its own name, and where its links lead; for a tree, every path below it too. */
export async function resolveTargets(location: CallLocation, targets: readonly Target[]): Promise<TargetFact[]> {
  const [root, gitDir, ...others] = await Promise.all(
    [location.root, location.gitDir, ...location.others].map(it => realpath(it).catch(() => it)),
  )
  const real = { ...location, root: String(root), gitDir: String(gitDir), others }
  return Promise.all(targets.map(it => targetFactOf(it, real)))
}

async function targetFactOf(
  { path, into = [], tree = false, maybe = false, orReference = false, folder = false, removes = false }: Target,
  location: CallLocation,
): Promise<TargetFact> {
  const from = path.startsWith('~/')
    ? join(homedir(), path.slice(1))
    : path.startsWith('/')
      ? path
      : `${location.cwd}/${path}`
  try {
    const isMissing = maybe && (await lstat(from).catch(nullIfMissing)) === null
    if (isMissing || (orReference && (await isReference(location.gitDir, path))))
      return { spelling: path, locations: [], currentOid: null }
    const found = await realNames(from)
    const written = await Promise.all(found.map(it => writtenPaths(it, { into, tree })))
    const locations = [...new Set(written.flat())].map(it => targetLocation(it, location))
    const { comparedPaths } = location
    const compared = locations.flatMap(it => (it.kind === 'inside' && comparedPaths?.has(it.path) ? [it.path] : []))
    const currentOid = !comparedPaths || compared.length > 0 ? await oidAt(found.at(-1) ?? from) : null
    const isFolder = written.some((it, n) => it.length !== 1 || it[0] !== found[n])
    return {
      spelling: path,
      locations,
      currentOid,
      ...(folder ? { makesFolder: true } : {}),
      ...(removes ? { removes: true } : {}),
      ...(isFolder ? { currentOidsBelow: await oidsAt(compared, location) } : {}),
    }
  } catch (thrown) {
    return { spelling: path, locations: [{ kind: 'nowhere', why: failureReason(thrown) }], currentOid: null }
  }
}

function nullIfMissing(thrown: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(systemErrorCode(thrown) ?? '')) return null
  throw thrown
}

// The message of a failed system call contains the path, so its code is used instead.
function failureReason(thrown: unknown): string {
  return systemErrorCode(thrown) ?? (thrown instanceof Error ? thrown.message : 'it is unreadable')
}

/** The path with only its folder resolved and, if it is a link, the path with the link followed too. */
async function realNames(path: string): Promise<string[]> {
  const parts = path.split('/').filter(it => it !== '' && it !== '.')
  const last = parts.at(-1)
  if (last === undefined) return ['/']
  const [folder, leads] = await Promise.all([followLinks(parts.slice(0, -1)), followLinks(parts)])
  const own = last === '..' ? leads : join(folder, last)
  return own === leads ? [own] : [own, leads]
}

/**
 * Follows a path one name after the other, as the kernel does: `..` is the parent of the resolved folder before it. A
 * name that does not exist yet is kept, and a dangling link is followed, since writing to it creates the file it names.
 */
async function followLinks(parts: readonly string[]): Promise<string> {
  let at = '/'
  let links = 0
  const rest = [...parts]
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = join(at, part)
    const link = part === '..' ? null : await linkAt(next)
    if (link === null) {
      // Some file systems ignore case: the path as the disk spells it.
      at = part === '..' ? dirname(at) : await realpath(next).catch(() => next)
      continue
    }
    links += 1
    if (links > LINKS_MAX) throw new Error('its links form a loop')
    if (link.startsWith('/')) at = '/'
    rest.unshift(...link.split('/').filter(it => it !== '' && it !== '.'))
  }
  return at
}

// The limit of Linux (ELOOP).
const LINKS_MAX = 40

async function linkAt(path: string): Promise<string | null> {
  return readlink(path).catch((thrown: unknown) => {
    if (['EINVAL', 'ENOENT', 'ENOTDIR', 'UNKNOWN'].includes(systemErrorCode(thrown) ?? '')) return null
    throw thrown
  })
}

/** The paths that a write of `path` changes: names `into` a folder, a whole tree, or the path alone. */
async function writtenPaths(
  path: string,
  { into, tree }: { into: readonly string[]; tree: boolean },
): Promise<string[]> {
  if (into.length === 0 && !tree) return [path]
  const stat = await lstat(path).catch(() => null)
  if (!stat?.isDirectory()) return [path]
  if (!tree) return (await Promise.all(into.map(it => realNames(`${path}/${it}`)))).flat()
  return [path, ...(await allBelow(path))]
}

/** Every path below a folder; links are not followed. */
async function allBelow(folder: string): Promise<string[]> {
  const found: string[] = []
  const folders = [folder]
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const it of await readdir(at, { withFileTypes: true })) {
      const path = join(at, it.name)
      found.push(path)
      if (it.isDirectory()) folders.push(path)
    }
    if (found.length > NAMES_MAX) throw new Error(`it contains more than ${NAMES_MAX} files`)
  }
  return found
}

// Judging more paths would take the hook longer than an agent waits.
const NAMES_MAX = 5000

function targetLocation(path: string, { root, gitDir, others }: CallLocation): TargetLocation {
  const isAbove = isWithin(path, root) || path === root
  const other = others.find(it => it !== root && (it === path || isWithin(it, path)) && !isWithin(it, root))
  if (path === gitDir || isWithin(gitDir, path) || (!isAbove && isOfGit(path, root))) return { kind: 'git', path }
  if (other !== undefined) return { kind: 'worktree', path }
  return isWithin(root, path) ? { kind: 'inside', path: relative(root, path) } : { kind: 'outside', path }
}

// On some file systems `.GIT` is the same name, so git reserves every spelling.
function isOfGit(path: string, root: string): boolean {
  const names = isWithin(root, path) ? relative(root, path).split('/') : [basename(path)]
  return names.some(it => it.toLowerCase() === '.git')
}

async function oidsAt(paths: readonly string[], { root }: CallLocation): Promise<Map<string, string | null>> {
  return new Map(await Promise.all(paths.map(async it => [it, await oidAt(join(root, it))] as const)))
}

// Hashing a larger file takes longer than an agent waits.
const COMPARED_BYTES_MAX = 536_870_912

async function oidAt(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null)
  if (!stat?.isFile()) return null
  if (stat.size > COMPARED_BYTES_MAX) throw new Error('it is larger than 512 MiB')
  return blobOidOfFile(path, stat.size)
}
