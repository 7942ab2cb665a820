import { join } from 'node:path'
import { changesBetweenTrees, emptyTree, type PathChange, stagedChanges } from '../../../core/git/changes.ts'
import { commitAndParents, headOid, mergeBase } from '../../../core/git/revisions.ts'
import { systemErrorCode } from '../../io/files/files.ts'
import { readRegularFile } from '../../io/files/regular-file.ts'
import type { Blobs } from '../../io/git/blobs.ts'
import type { Git } from '../../io/git/git.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { ReadSide } from './classify-files.ts'

/** What changed in a range of commits: of a commit alone, since its first parent. */
export async function changesInRange(git: Git, range: string): Promise<PathChange[]> {
  const [from, to] = await endsOf(git, range)
  return git.ask(changesBetweenTrees(from, to))
}

/** What the index changes since HEAD. */
export async function changesInIndex(git: Git): Promise<PathChange[]> {
  return git.ask(stagedChanges(await headTree(git)))
}

/** What the worktree changes since HEAD, with its untracked files; some paths, or all for none. */
export async function changesInWorktree(git: Git, paths: readonly string[]): Promise<PathChange[]> {
  const args = [...COMPARING_CONTENT, '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=all']
  const tree = await headTree(git)
  const tracked = await git.ask({ args: [...args, tree, '--', ...paths], parse: stagedChanges(tree).parse })
  const others = ['--literal-pathspecs', 'ls-files', '--others', '--exclude-standard', '-z', '--', ...paths]
  const untracked = await git.ask({ args: others, parse: out => out.split('\0').slice(0, -1) })
  return [...tracked, ...untracked.map(path => ({ path, before: null, after: ON_DISK }))]
}

// `diff-index` would name a file that only has another time than the index. The options override the user's settings.
const COMPARING_CONTENT = [
  ...['--literal-pathspecs', '-c', 'diff.autoRefreshIndex=true'],
  ...['diff', '--no-ext-diff', '--no-relative', '-O/dev/null'],
]

const ON_DISK = { mode: '100644', oid: '0'.repeat(40) }

/** Reads blobs from git, and files that git has not hashed from the disk. */
export function sidesOf({ root }: Pick<Workspace, 'root'>, blobs: Blobs, bytesMax: number): ReadSide {
  return ({ oid }, path) => (/^0+$/.test(oid) ? readOrNull(join(root, path), bytesMax) : blobs.read(oid))
}

/** The bytes of a regular file; null where there is none, or none of that size. */
export function readOrNull(path: string, bytesMax: number): Promise<Buffer | null> {
  return readRegularFile(path, bytesMax).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === null) throw thrown
    return null
  })
}

async function headTree(git: Git): Promise<string> {
  return (await git.tryAsk(headOid)) ?? (await git.ask(emptyTree))
}

/** The two trees that a range compares. */
async function endsOf(git: Git, range: string): Promise<readonly [string, string]> {
  const [, left = '', dots = '', right = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(range) ?? []
  if (dots === '') {
    const [commit = range, parent] = await git.ask(commitAndParents(range))
    return [parent ?? (await git.ask(emptyTree)), commit]
  }
  const from = left || 'HEAD'
  const to = right || 'HEAD'
  return [dots === '...' ? ((await git.ask(mergeBase(from, to))) ?? from) : from, to]
}
