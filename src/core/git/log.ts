import type { GitQuery } from './query.ts'

/** A commit with the trailers about its intents. */
export type LoggedCommit = {
  readonly commit: string
  /** The author's date, ISO 8601. */
  readonly date: string
  /** The committer's date, ISO 8601. */
  readonly committed: string
  readonly author: string
  readonly subject: string
  readonly intents: readonly string[]
  /** The reason of a governance commit; null for any other commit. */
  readonly governance: string | null
}

const TRAILER = 'valueonly,unfold,separator=%x1F'
const LOG_FIELDS = [
  '%H',
  '%aI',
  '%cI',
  // The name that `.mailmap` gives, as git's own statistics have it.
  '%aN',
  '%s',
  `%(trailers:key=Intent-ID,${TRAILER})`,
  `%(trailers:key=Governance,${TRAILER})`,
]

/** Which commits to list; an absent field does not restrict. */
export type LogSelection = {
  /** A commit or a range; HEAD by default. */
  readonly range?: string | null | undefined
  readonly limit?: number | null | undefined
  /** Only commits whose message contains this id. */
  readonly intent?: string | null | undefined
  /** Only commits of this time (milliseconds since 1970) and later, by the committer's date. */
  readonly since?: number | null | undefined
  readonly path?: string | null | undefined
}

/** The commits reachable from HEAD or in a range, newest first. */
export function commitLog({ range, limit, intent, since, path }: LogSelection): GitQuery<LoggedCommit[]> {
  const mention = intent == null ? [] : ['--regexp-ignore-case', '--fixed-strings', `--grep=${intent}`]
  const count = limit == null ? [] : [`--max-count=${limit}`]
  return {
    args: [
      'log',
      '-z',
      `--format=${LOG_FIELDS.join('%x00')}`,
      ...count,
      ...mention,
      ...(since == null ? [] : [`--max-age=${Math.floor(since / 1000)}`]),
      '--end-of-options',
      range ?? 'HEAD',
      '--',
      ...(path == null ? [] : [`:(top,literal)${path}`]),
    ],
    parse: parseLog,
  }
}

function parseLog(out: string): LoggedCommit[] {
  const fields = out.split('\0')
  const commits: LoggedCommit[] = []
  for (let n = 0; n + LOG_FIELDS.length <= fields.length; n += LOG_FIELDS.length) {
    const [commit = '', date = '', committed = '', author = '', subject = '', intents = '', governance = ''] =
      fields.slice(n, n + LOG_FIELDS.length)
    commits.push({
      commit,
      date,
      committed,
      author,
      subject,
      intents: splitValues(intents),
      governance: splitValues(governance)[0] ?? null,
    })
  }
  return commits
}

function splitValues(text: string): string[] {
  return text.split('\x1F').flatMap(it => (it.trim() === '' ? [] : [it.trim()]))
}
