import type { GitQuery } from './query.ts'

/** A path that is not clean, with git's status of it. */
export type GitStatusEntry = {
  readonly path: string
  /** `untracked`; or `dirty`: the worktree differs from the index; or `staged`: only the index differs from HEAD. */
  readonly kind: 'untracked' | 'dirty' | 'staged'
}

/** All paths that differ from HEAD, without ignored files and submodules. */
export const gitStatus: GitQuery<GitStatusEntry[]> = {
  args: [
    ...['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'],
    // The header, which is not parsed: simple-git waits 50 ms for a process that prints nothing, as for a clean tree.
    ...['--branch', '--no-ahead-behind'],
  ],
  parse: stdout => stdout.split('\0').flatMap(parseStatusLine),
}

/** The same, with the paths that gitignore ignores; an ignored directory is one path. */
export const gitStatusWithIgnored: GitQuery<{ readonly status: GitStatusEntry[]; readonly ignored: string[] }> = {
  args: [...gitStatus.args, '--ignored=matching'],
  parse: stdout => ({ status: gitStatus.parse(stdout), ignored: stdout.split('\0').flatMap(parseIgnoredLine) }),
}

// Nobody can set the time at which a file last changed. Settings that let it not count are for speed, in large trees,
// and so is a program that says which files have changed: without it, git drops what the index has of its answers.
const WHOLE_STAT = ['core.trustctime=true', 'core.checkStat=default', 'core.fsmonitor=false'].flatMap(it => ['-c', it])

/** The same for some paths, which are literal and not patterns; a file of the size and time of the index is read. */
export function gitStatusOf(paths: readonly string[]): GitQuery<GitStatusEntry[]> {
  const options = ['--literal-pathspecs', ...WHOLE_STAT]
  return { args: [...options, ...gitStatus.args, '--', ...paths], parse: gitStatus.parse }
}

/** The same for the whole tree. */
export const gitStatusByWholeStat: GitQuery<GitStatusEntry[]> = {
  args: [...WHOLE_STAT, ...gitStatus.args],
  parse: gitStatus.parse,
}

/** The untracked paths that files of patterns and each `.gitignore` do not name; among some, or all for none. */
export function untrackedBy(
  excludes: readonly string[],
  { paths, options }: { readonly paths: readonly string[]; readonly options: readonly string[] },
): GitQuery<string[]> {
  const patterns = ['--exclude-per-directory=.gitignore', ...excludes.map(it => `--exclude-from=${it}`)]
  return {
    args: ['--literal-pathspecs', 'ls-files', '--others', '-z', ...options, ...patterns, '--', ...paths],
    parse: out => out.split('\0').slice(0, -1),
  }
}

function parseIgnoredLine(line: string): string[] {
  return line.startsWith('! ') ? [line.slice(2).replace(/\/$/, '')] : []
}

/** The entry of a line of git's status; none for a line that says nothing of a path. */
export function parseStatusLine(line: string): GitStatusEntry[] {
  if (line.startsWith('? ')) return line.endsWith('/') ? [] : [{ path: line.slice(2), kind: 'untracked' }]
  const [, worktree, path] = /^1 .(.) (?:\S+ ){6}([^]+)$/.exec(line) ?? []
  if (worktree && path) return [{ path, kind: worktree === '.' ? 'staged' : 'dirty' }]
  const [, unmerged] = /^u (?:\S+ ){9}([^]+)$/.exec(line) ?? []
  return unmerged ? [{ path: unmerged, kind: 'dirty' }] : []
}
