import { dirname, join } from 'node:path'
import type { GitQuery } from '../../../core/git/query.ts'
import { disk } from '../files/files.ts'
import { runGit, SAFE_OPTIONS } from './run-git.ts'

/** True for a file by which git hides others, or reads them in another way, unless a tool has it in its own folder. */
export function isIgnoreFile(path: string): boolean {
  return /(?:^|\/)\.git(?:ignore|attributes)$/.test(path) && !OF_TOOLS.test(path)
}

// Caches of tools, virtual environments and reports ignore themselves like this.
const OF_TOOLS = /(?:^|\/)(?:\.[^/]+|venv|env|node_modules|htmlcov)\/(?:[^]*\/)?\.git[^/]*$/

/** The file whose pattern hides each of some paths from git; no entry for a path that git does not ignore. */
async function ignoreSources(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>()
  if (paths.length === 0) return sources
  const { stdout } = await runGit([...SAFE_OPTIONS, 'check-ignore', '--stdin', '-z', '--verbose'], {
    cwd: root,
    // Without `./`, git would stop at a name that begins like the magic of a pathspec.
    input: paths.map(it => `./${it}\0`).join(''),
  })
  // Of each path: the file, the line, the pattern, the path.
  const words = stdout.toString('utf8').split('\0')
  for (let n = 0; n + 3 < words.length; n += 4) {
    const [source = '', , pattern = '', path = ''] = words.slice(n, n + 4)
    if (!pattern.startsWith('!')) sources.set(path.replace(/^\.\//, ''), source.replace(/^\.\//, ''))
  }
  return sources
}

/** Answers which files git has among some paths and, for a folder, below it: one of them is enough. */
export type TrackedAmong = (paths: readonly string[]) => Promise<Iterable<string>>

/** Those of some paths that git ignores by an ignore file that git does not have, and that no tool wrote for itself. */
export async function hiddenByNewFiles(
  root: string,
  paths: readonly string[],
  trackedAmong: TrackedAmong,
): Promise<ReadonlySet<string>> {
  const sources = await ignoreSources(root, paths)
  const files = [...new Set(sources.values())].filter(isIgnoreFile)
  const tracked = new Set(files.length === 0 ? [] : await trackedAmong(files))
  const found = files.filter(it => !tracked.has(it))
  const ofTools = new Set(await filesOfTools(root, found, trackedAmong))
  const hiding = new Set(found.filter(it => !ofTools.has(it)))
  return new Set(paths.filter(it => hiding.has(sources.get(it) ?? '')))
}

/** Those of some ignore files that a tool has in a folder of its own, which has no file of git's. */
async function filesOfTools(root: string, files: readonly string[], trackedAmong: TrackedAmong): Promise<string[]> {
  const marked: string[] = []
  for (const it of files) if (dirname(it) !== '.' && (await isMarkedByTool(root, it))) marked.push(it)
  if (marked.length === 0) return []
  const tracked = [...(await trackedAmong(marked.map(it => dirname(it))))]
  return marked.filter(it => !tracked.some(path => path.startsWith(`${dirname(it)}/`)))
}

// Virtual environments and Meson's builds may have any name. A comment in the ignore file proves nothing.
async function isMarkedByTool(root: string, file: string): Promise<boolean> {
  const marks = ['pyvenv.cfg', 'meson-info'].map(it => disk.stat(join(root, dirname(file), it)).catch(() => null))
  return (await Promise.all(marks)).some(it => it !== null)
}

/** The files that the index does not have among some paths, and below those that are folders. */
export function newFilesIn(paths: readonly string[]): GitQuery<string[]> {
  return {
    args: ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', ...paths],
    parse: out => out.split('\0').slice(0, -1),
  }
}

/** The files that the index has among some paths, and below those that are folders. */
export function trackedFilesIn(paths: readonly string[]): GitQuery<string[]> {
  return {
    args: ['--literal-pathspecs', 'ls-files', '-z', '--', ...paths],
    parse: out => out.split('\0').slice(0, -1),
  }
}
