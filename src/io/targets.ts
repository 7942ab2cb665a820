import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { blobOid } from '../diff/blob.ts'
import type { Place, Target, TargetFact } from '../gate/target.ts'
import { codeOf } from './files.ts'
import { isWithin } from './real-path.ts'

/** The worktree that a call is judged in. */
export type Ground = {
  readonly root: string
  readonly gitDir: string
  /** The tops of the clone's other worktrees. */
  readonly others: readonly string[]
  /** Where the agent works: relative targets begin there. */
  readonly cwd: string
  /** The paths of which it matters what stands there; all of them where it is left out. */
  readonly known?: ReadonlyMap<string, unknown>
}

/** Where each target really is: by its own name, and by where its links lead; a tree stands for all that lies in it. */
export async function targetsAt(ground: Ground, targets: readonly Target[]): Promise<TargetFact[]> {
  const [root, gitDir, ...others] = await Promise.all(
    [ground.root, ground.gitDir, ...ground.others].map(it => realpath(it).catch(() => it)),
  )
  const real = { ...ground, root: String(root), gitDir: String(gitDir), others }
  return Promise.all(targets.map(it => factOf(it, real)))
}

async function factOf({ path, into = [], tree = false, maybe = false }: Target, ground: Ground): Promise<TargetFact> {
  const from = path.startsWith('~/')
    ? join(homedir(), path.slice(1))
    : path.startsWith('/')
      ? path
      : `${ground.cwd}/${path}`
  try {
    if (maybe && (await lstat(from).catch(nothingThere)) === null) return { given: path, places: [], now: null }
    const found = await realNames(from)
    const ends = await Promise.all(found.map(it => endsOf(it, { into, tree })))
    const places = [...new Set(ends.flat())].map(it => placeOf(it, ground))
    const { known } = ground
    const matter = places.flatMap(it => (it.kind === 'inside' && known?.has(it.path) ? [it.path] : []))
    const now = !known || matter.length > 0 ? await oidAt(found.at(-1) ?? from) : null
    const isFolder = ends.some((it, n) => it.length !== 1 || it[0] !== found[n])
    return { given: path, places, now, ...(isFolder ? { below: await oidsAt(matter, ground) } : {}) }
  } catch (thrown) {
    return { given: path, places: [{ kind: 'nowhere', why: reasonOf(thrown) }], now: null }
  }
}

function nothingThere(thrown: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(thrown) ?? '')) return null
  throw thrown
}

// The message of a failed system call has the path in it.
function reasonOf(thrown: unknown): string {
  return codeOf(thrown) ?? (thrown instanceof Error ? thrown.message : 'it is unreadable')
}

/** The name itself within its real folder, and after it where that leads, if elsewhere. */
async function realNames(path: string): Promise<string[]> {
  const parts = path.split('/').filter(it => it !== '' && it !== '.')
  const last = parts.at(-1)
  if (last === undefined) return ['/']
  const [folder, leads] = await Promise.all([resolved(parts.slice(0, -1)), resolved(parts)])
  const own = last === '..' ? leads : join(folder, last)
  return own === leads ? [own] : [own, leads]
}

/**
 * Follows a path one name after the other, as the system does: `..` is the folder above where the links before it
 * lead. What isn't there yet is taken by its name, and a link to nothing is followed, for to write it makes that file.
 */
async function resolved(parts: readonly string[]): Promise<string> {
  let at = '/'
  let links = 0
  const rest = [...parts]
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const next = join(at, part)
    const link = part === '..' ? null : await linkAt(next)
    if (link === null) {
      at = part === '..' ? dirname(at) : await trueName(next)
      continue
    }
    links += 1
    if (links > LINKS_MAX) throw new Error('its links go round in circles')
    if (link.startsWith('/')) at = '/'
    rest.unshift(...link.split('/').filter(it => it !== '' && it !== '.'))
  }
  return at
}

const LINKS_MAX = 40

async function linkAt(path: string): Promise<string | null> {
  return readlink(path).catch((thrown: unknown) => {
    if (['EINVAL', 'ENOENT', 'ENOTDIR', 'UNKNOWN'].includes(codeOf(thrown) ?? '')) return null
    throw thrown
  })
}

/** A name as the disk spells it: some disks take any case for it. */
async function trueName(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** What is written when a path is: names within a folder, or all that lies below it. */
async function endsOf(path: string, { into, tree }: { into: readonly string[]; tree: boolean }): Promise<string[]> {
  if (into.length === 0 && !tree) return [path]
  const stat = await lstat(path).catch(() => null)
  if (!stat?.isDirectory()) return [path]
  if (!tree) return (await Promise.all(into.map(it => realNames(`${path}/${it}`)))).flat()
  return [path, ...(await allBelow(path))]
}

/** Whatever lies in a folder, however deep; links are names like others. */
async function allBelow(folder: string): Promise<string[]> {
  const found: string[] = []
  const folders = [folder]
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const it of await readdir(at, { withFileTypes: true })) {
      const path = join(at, it.name)
      found.push(path)
      if (it.isDirectory()) folders.push(path)
    }
    if (found.length > NAMES_MAX) throw new Error(`more than ${NAMES_MAX} files lie in it`)
  }
  return found
}

const NAMES_MAX = 5000

function placeOf(path: string, { root, gitDir, others }: Ground): Place {
  const isAbove = isWithin(path, root) || path === root
  const other = others.find(it => it !== root && (it === path || isWithin(it, path)) && !isWithin(it, root))
  if (path === gitDir || isWithin(gitDir, path) || (!isAbove && isGits(path, root))) return { kind: 'git', path }
  if (other !== undefined) return { kind: 'worktree', path }
  return isWithin(root, path) ? { kind: 'inside', path: relative(root, path) } : { kind: 'outside', path }
}

// To some disks `.GIT` is the same name, and git keeps every spelling for itself.
function isGits(path: string, root: string): boolean {
  const names = isWithin(root, path) ? relative(root, path).split('/') : [basename(path)]
  return names.some(it => it.toLowerCase() === '.git')
}

async function oidsAt(paths: readonly string[], { root }: Ground): Promise<Map<string, string | null>> {
  return new Map(await Promise.all(paths.map(async it => [it, await oidAt(join(root, it))] as const)))
}

async function oidAt(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null)
  return stat?.isFile() ? blobOid(await readFile(path)) : null
}
