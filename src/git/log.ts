import type { GitQuery } from './query.ts'

/** A commit with what it says about its intents. */
export type LoggedCommit = {
  readonly commit: string
  /** ISO 8601, of the author. */
  readonly date: string
  readonly author: string
  readonly subject: string
  readonly intents: readonly string[]
  /** Why it is a governance commit, or null when it isn't one. */
  readonly governance: string | null
}

/** What a trailer is must not depend on the settings of whoever asks. */
const TRAILERS_BY_COLON = ['-c', 'trailer.separators=:']

const TRAILER = 'valueonly,unfold,separator=%x1F'
const LOG_FIELDS = [
  '%H',
  '%aI',
  '%an',
  '%s',
  `%(trailers:key=Intent-ID,${TRAILER})`,
  `%(trailers:key=Governance,${TRAILER})`,
]

/** The commits that HEAD can reach, newest first; with an intent, those whose message may cite it. */
export function commitLog({
  limit,
  intent,
}: {
  limit: number | null
  intent: string | null
}): GitQuery<LoggedCommit[]> {
  const mention = intent === null ? [] : ['--regexp-ignore-case', '--fixed-strings', `--grep=${intent}`]
  const count = limit === null ? [] : [`--max-count=${limit}`]
  return {
    args: [
      ...TRAILERS_BY_COLON,
      'log',
      '-z',
      '--no-show-signature',
      `--format=${LOG_FIELDS.join('%x00')}`,
      ...count,
      ...mention,
      'HEAD',
    ],
    parse: parseLog,
  }
}

function parseLog(out: string): LoggedCommit[] {
  const fields = out.split('\0')
  const commits: LoggedCommit[] = []
  for (let n = 0; n + LOG_FIELDS.length <= fields.length; n += LOG_FIELDS.length) {
    const [commit = '', date = '', author = '', subject = '', intents = '', governance = ''] = fields.slice(n)
    commits.push({
      commit,
      date,
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
