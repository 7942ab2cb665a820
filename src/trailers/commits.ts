import { citationIn } from './citations.ts'
import { referencedCommits } from './referenced-commits.ts'
import { parseTrailers, trailerValues } from './parse-trailers.ts'
import type { GitQuery } from '../git/query.ts'
import { type PathChange, parseRawChange } from '../git/changes.ts'

/** A commit: what its message says, and what it changes. */
export type Commit = {
  readonly oid: string
  /** None for a root commit, several for a merge. */
  readonly parents: readonly string[]
  readonly subject: string
  /** The author's e-mail address, as whoever made the commit says. */
  readonly author: string
  /** The intents that the message cites: in its trailer block, or in each block of messages put together. */
  readonly cited: readonly string[]
  /** What it names where git finds no trailer: in its subject, or above other text. */
  readonly misplaced: readonly string[]
  /** What `Governance:` says, or null when it is not there. */
  readonly governance: string | null
  /** The commits that the message says this one was made from. */
  readonly referencedCommits: readonly string[]
  /** What differs from the parent; of a merge, what differs from every parent, as a change of the first one. */
  readonly changes: readonly PathChange[]
}

// Which trailers a message has is read by us: what git finds depends on `trailer.*` of whoever asks.
const COMMIT_FORMAT = ['%H', '%P', '%s', '%ae', '%B', ''].join('%x00')

/**
 * The commits that a list of revisions selects, oldest first; at most `countMax`, the newest. In such a list
 * `--ignore-missing` is for those that come after it.
 */
export function commitsIn(revisions: readonly string[], { countMax }: { countMax: number | null }): GitQuery<Commit[]> {
  const count = countMax === null ? [] : [`--max-count=${countMax}`]
  return {
    args: [...LOG_SETTINGS, 'log', ...LOG_FLAGS, ...count, `--format=${COMMIT_FORMAT}`, ...revisions, '--'],
    parse: parseCommits,
  }
}

// Nobody's settings change what a commit is taken for.
const LOG_SETTINGS = ['-c', 'log.showRoot=true', '-c', 'log.showSignature=false']
const OUTPUT_FLAGS = [
  '-z',
  '-c',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--ignore-submodules=none',
  '--encoding=UTF-8',
]
const LOG_FLAGS = [...OUTPUT_FLAGS, '--topo-order', '--reverse']

// Between a message and its changes stands nothing, a newline or a NUL, as git likes.
function parseCommits(out: string): Commit[] {
  const tokens = out.split('\0')
  const commits: (Commit & { readonly changes: PathChange[] })[] = []
  for (let n = 0; n < tokens.length;) {
    const token = tokens[n]?.replace(/^\n/, '') ?? ''
    const commit = commits.at(-1)
    if (token === '') n += 1
    else if (token.startsWith(':') && commit) {
      commit.changes.push(parseRawChange(token, tokens[n + 1] ?? ''))
      n += 2
    } else {
      commits.push({ ...commitOf([token, ...tokens.slice(n + 1, n + FIELD_COUNT)]), changes: [] })
      n += FIELD_COUNT
    }
  }
  return commits
}

const FIELD_COUNT = 5

function commitOf([oid = '', parents = '', subject = '', author = '', body = '']: string[]) {
  return {
    oid,
    parents: splitWords(parents, ' '),
    subject,
    author,
    ...citationIn(body),
    governance: trailerValues(parseTrailers(body), 'Governance')[0] || null,
    referencedCommits: referencedCommits(body),
  }
}

function splitWords(text: string, separator: string): string[] {
  return text.split(separator).filter(it => it !== '')
}
