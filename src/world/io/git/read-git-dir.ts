import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { readdir } from 'node:fs/promises'
import { isWithin } from '../files/real-path.ts'
import { LARGE_FILE_BYTES_MAX, readRegularFile, readRegularFileSync } from '../files/regular-file.ts'

/**
 * Where a worktree is, and the commit that HEAD names. `head` is null when the branch is unborn, and when only git can
 * say: then `isUnborn` is false.
 */
export type WorktreeLocation = {
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
  readonly head: string | null
  readonly isUnborn: boolean
}

/**
 * Finds the worktree of a folder as git would, without starting git. Null when there is none, or when its configuration
 * is unusual: then the caller has to ask git.
 */
export function locateWorktree(folder: string): WorktreeLocation | null {
  try {
    const here = realpathSync.native(folder)
    const root = worktreeRoot(here)
    const gitDir = root && gitDirOf(root)
    // Within git's own folder there is no worktree.
    if (!root || !gitDir || gitDir === here || isWithin(gitDir, here) || mayStopBelow(root, here)) return null
    const commonDir = resolve(gitDir, readTrimmed(join(gitDir, 'commondir')) ?? '.')
    const isPlain =
      [gitDir, root, join(root, '.git')].every(isOwnedByUser) &&
      ['objects', 'refs'].every(it => statSync(join(commonDir, it)).isDirectory()) &&
      !UNSUPPORTED_CONFIG.test(readTrimmed(join(commonDir, 'config')) ?? 'worktree')
    return isPlain ? { root, gitDir, commonDir, ...readHeadCommit(gitDir, commonDir) } : null
  } catch {
    return null
  }
}

// Settings that can move the worktree, or that store refs in tables (extensions.refStorage), and newer formats.
const UNSUPPORTED_CONFIG = /worktree|bare\s*=\s*true|include|extensions|formatversion\s*=\s*[^01\s]/i

function worktreeRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const found = lstatSync(join(at, '.git'), { throwIfNoEntry: false })
    if (found) return found.isSymbolicLink() ? null : at
    // The folder may be a bare repository, where git would stop its search.
    if (statSync(join(at, 'HEAD'), { throwIfNoEntry: false })) return null
    if (at === dirname(at)) return null
  }
}

// On its way up, git stops at the end of a file system and at the folders of GIT_CEILING_DIRECTORIES.
function mayStopBelow(root: string, here: string): boolean {
  return root !== here && (Boolean(process.env['GIT_CEILING_DIRECTORIES']) || statSync(root).dev !== statSync(here).dev)
}

/** `.git` itself, or in a linked worktree the folder that the file `.git` names. */
function gitDirOf(root: string): string | null {
  const path = join(root, '.git')
  if (statSync(path).isDirectory()) return path
  const [, to] = /^gitdir: (.+)\n?$/.exec(readTrimmed(path) ?? '') ?? []
  return to === undefined ? null : realpathSync.native(resolve(root, to))
}

// Git may not trust a repository of another user (safe.directory).
function isOwnedByUser(path: string): boolean {
  return statSync(path).uid === process.geteuid?.()
}

function readHeadCommit(gitDir: string, commonDir: string): Pick<WorktreeLocation, 'head' | 'isUnborn'> {
  const head = readTrimmed(join(gitDir, 'HEAD')) ?? ''
  const [, ref] = /^ref: (refs\/(?!worktree\/|bisect\/|rewritten\/)[^\s\\]+)$/.exec(head) ?? []
  const oid = ref === undefined ? head : (looseRef(commonDir, ref) ?? packedRef(commonDir, ref))
  const isOid = oid !== null && /^[0-9a-f]{40,64}$/.test(oid)
  return { head: isOid ? oid : null, isUnborn: oid === null }
}

// A directory of that name, or a file that is not readable, is for git to judge.
function looseRef(commonDir: string, ref: string): string | null {
  const path = join(commonDir, ref)
  return statSync(path, { throwIfNoEntry: false }) ? (readTrimmed(path) ?? '') : null
}

function packedRef(commonDir: string, ref: string): string | null {
  const lines = (readTrimmed(join(commonDir, 'packed-refs')) ?? '').split('\n')
  return lines.find(it => it.endsWith(` ${ref}`))?.split(' ')[0] ?? null
}

function readTrimmed(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile()
    ? (readRegularFileSync(path, { bytesMax: LARGE_FILE_BYTES_MAX })?.toString('utf8').trimEnd() ?? null)
    : null
}

type WorktreeOfClone = { readonly root: string; readonly commonDir: string }

/** The roots of the clone's other worktrees, read from git's own files. */
export async function otherWorktrees({ root, commonDir }: WorktreeOfClone): Promise<string[]> {
  const folder = join(commonDir, 'worktrees')
  const names = await readdir(folder).catch(() => [])
  const linked = await Promise.all(names.map(it => linkedRoot(join(folder, it))))
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : []
  return [...main, ...linked.flatMap(it => it ?? [])].filter(it => it !== root)
}

// The file has the path of `.git` in the worktree's root. Git 2.48 and newer can write it relative to this folder.
async function linkedRoot(folder: string): Promise<string | null> {
  const text = (await readRegularFile(join(folder, 'gitdir')).catch(() => null))?.toString('utf8').trimEnd() ?? ''
  return text === '' ? null : dirname(isAbsolute(text) ? text : join(folder, text))
}
