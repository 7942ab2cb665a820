import type { GitQuery } from '../../git/query.ts'
import { runGit, SAFE_OPTIONS } from './run-git.ts'

/** True for a file by which git hides others, or reads them in another way, unless a tool has it in its own folder. */
export function isIgnoreFile(path: string): boolean {
  return /(?:^|\/)\.git(?:ignore|attributes)$/.test(path) && !OF_TOOLS.test(path)
}

// The caches of pytest, ruff and mypy, and virtual environments, ignore themselves like this.
const OF_TOOLS = /(?:^|\/)(?:\.[^/]+|venv|env|node_modules)\/(?:[^]*\/)?\.git[^/]*$/

/** The file whose pattern hides each of some paths from git; no entry for a path that git does not ignore. */
export async function ignoreSources(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
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

/** True for an ignore file of the worktree that git does not have: nobody has seen what it hides. */
export function isNewSource(source: string | undefined, isTracked: (path: string) => boolean): boolean {
  return source !== undefined && isIgnoreFile(source) && !isTracked(source)
}

/** The files that the index does not have among some paths, and below those that are folders. */
export function newFilesIn(paths: readonly string[]): GitQuery<string[]> {
  return {
    args: ['--literal-pathspecs', 'ls-files', '--others', '-z', '--', ...paths],
    parse: out => out.split('\0').slice(0, -1),
  }
}
