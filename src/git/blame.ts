import { unquotePath } from './quoted-path.ts'

/** Lines that `git blame` says are from one commit: `lines` of them, from `at` on here, and from `origin` on there. */
export type BlameChunk = {
  readonly commit: string
  /** What the file was called there. */
  readonly path: string
  readonly origin: number
  readonly at: number
  readonly lines: number
}

/** What `git blame` is asked with: `ranges` as for its -L, `revision` an oid. Lines match as for the notes. */
export function blameArgs(
  path: string,
  { revision, ranges }: { revision: string | null; ranges: readonly string[] },
): readonly string[] {
  const settings = [
    '-c',
    'blame.ignoreRevsFile=',
    '-c',
    'diff.indentHeuristic=true',
    '-c',
    'blame.markUnblamableLines=false',
  ]
  const within = ranges.flatMap(it => ['-L', it])
  const at = revision === null ? [] : [revision]
  return [...settings, 'blame', '--incremental', '--root', ...within, ...at, '--', path]
}

/** Reads `git blame --incremental`. */
export function parseBlame(out: string): BlameChunk[] {
  const blamed: BlameChunk[] = []
  let heading: RegExpExecArray | null = null
  for (const line of out.split('\n')) {
    heading ??= CHUNK_HEADER.exec(line)
    if (!heading || !line.startsWith('filename ')) continue
    const [, commit = '', origin, at, lines] = heading
    const path = unquotePath(line.slice('filename '.length))
    blamed.push({ commit, path, origin: Number(origin), at: Number(at), lines: Number(lines) })
    heading = null
  }
  return blamed
}

const CHUNK_HEADER = /^([0-9a-f]{40,64}) (\d+) (\d+) (\d+)$/
