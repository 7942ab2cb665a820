import { unquotePath } from './quoted-path.ts'

/** Consecutive lines that `git blame` finds in one commit: `lines` lines, from `at` on now, from `origin` on there. */
export type BlameChunk = {
  readonly commit: string
  /** The file's path in that commit. */
  readonly path: string
  readonly origin: number
  readonly at: number
  readonly lines: number
  readonly by: GitAuthor
}

/** The author of a commit, as git has it; `at` is in milliseconds since 1970. */
export type GitAuthor = { readonly name: string; readonly at: number }

/** What to blame: `revision` is an oid, or null for the file on disk; `ranges` as for -L. */
export type BlamedPart = {
  readonly revision: string | null
  readonly ranges: readonly string[]
  /** Commits to look through, besides those of `blame.ignoreRevsFile`: a line counts as what it was before. */
  readonly ignored?: readonly string[]
}

/** The arguments of `git blame`. Lines are matched as for the notes. */
export function blameArgs(path: string, { revision, ranges, ignored = [] }: BlamedPart): readonly string[] {
  const settings = ['diff.indentHeuristic=true', 'blame.markUnblamableLines=false', 'blame.markIgnoredLines=false']
  const through = ignored.flatMap(it => ['--ignore-rev', it])
  const within = ranges.flatMap(it => ['-L', it])
  const at = revision === null ? [] : [revision]
  return [
    ...settings.flatMap(it => ['-c', it]),
    'blame',
    '--incremental',
    '--root',
    ...through,
    ...within,
    ...at,
    '--',
    path,
  ]
}

/** Parses the output of `git blame --incremental`. */
export function parseBlame(out: string): BlameChunk[] {
  const blamed: BlameChunk[] = []
  const authors = new Map<string, { name: string; at: number }>()
  let heading: RegExpExecArray | null = null
  for (const line of out.split('\n')) {
    heading ??= CHUNK_HEADER.exec(line)
    if (!heading) continue
    const by = authorOf(authors, heading[1] ?? '')
    if (line.startsWith('author ')) by.name = line.slice('author '.length)
    if (line.startsWith('author-time ')) by.at = Number(line.slice('author-time '.length)) * 1000
    if (!line.startsWith('filename ')) continue
    const [, commit = '', origin, at, lines] = heading
    const path = unquotePath(line.slice('filename '.length))
    blamed.push({ commit, path, origin: Number(origin), at: Number(at), lines: Number(lines), by })
    heading = null
  }
  return blamed
}

// Git prints the author with the first chunk of each commit only.
function authorOf(authors: Map<string, { name: string; at: number }>, commit: string) {
  const by = authors.get(commit) ?? { name: '', at: 0 }
  authors.set(commit, by)
  return by
}

const CHUNK_HEADER = /^([0-9a-f]{40,64}) (\d+) (\d+) (\d+)$/
