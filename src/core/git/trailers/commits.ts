import { parseTrailers, type Trailer, trailerValues } from './parse-trailers.ts'
import type { GitQuery } from '../query.ts'
import { parseRawChange, type PathChange } from '../changes.ts'
import { isCombined, trailersAtEnd, trailersInAnyParagraph } from './combined-messages.ts'

/** A commit: its message, parsed, and its changes. */
export type Commit = {
  readonly oid: string
  /** Empty for a root commit, several for a merge. */
  readonly parents: readonly string[]
  readonly subject: string
  /** The author's e-mail address as the commit has it; it proves nothing. */
  readonly author: string
  /** The addresses of further authors, as the message names them. */
  readonly coAuthors: readonly string[]
  /** The intents that the message cites: in its trailer block or, if it was combined from several, in each block. */
  readonly cited: readonly string[]
  /** Intents that it names where git finds no trailer: in the subject, or above other text. */
  readonly misplaced: readonly string[]
  /** The value of `Governance:`; null without that trailer. */
  readonly governance: string | null
  /** The commits that, by its message, this one was made from. */
  readonly referencedCommits: readonly string[]
  /** The differences from the parent; for a merge, those from every parent, given as changes of the first parent. */
  readonly changes: readonly PathChange[]
}

// kotef parses trailers itself, because git's answer depends on the user's settings `trailer.*`.
const COMMIT_FORMAT = ['%H', '%P', '%s', '%ae', '%B', ''].join('%x00')

/**
 * The commits that a list of revisions selects, oldest first; at most the `countMax` newest. In the list
 * `--ignore-missing` applies to the revisions after it.
 */
export function commitsIn(revisions: readonly string[], { countMax }: { countMax: number | null }): GitQuery<Commit[]> {
  const count = countMax === null ? [] : [`--max-count=${countMax}`]
  return {
    args: [...LOG_SETTINGS, 'log', ...LOG_FLAGS, ...count, `--format=${COMMIT_FORMAT}`, ...revisions, '--'],
    parse: parseCommits,
  }
}

// These override the settings of the user that would change the output.
const LOG_SETTINGS = ['-c', 'log.showRoot=true']
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

// Between a message and its changes git writes nothing, a newline or a NUL, depending on the version and the commit.
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
    coAuthors: coAuthorsIn(body),
    ...citationIn(body),
    governance: governanceIn(body),
    referencedCommits: referencedCommits(body),
  }
}

function splitWords(text: string, separator: string): string[] {
  return text.split(separator).filter(it => it !== '')
}

/** The intents that a message cites in trailers, and those that it names where no program finds a trailer. */
type Citation = { readonly cited: readonly string[]; readonly misplaced: readonly string[] }

/**
 * The intents that a message cites. A forge that squashes commits writes their whole messages one below the other, and
 * `Co-authored-by:` at the end, so each of their trailer blocks counts. In any other message only the trailers at
 * its end count, as for git.
 */
export function citationIn(message: string): Citation {
  const block = trailerValues(parseTrailers(message), INTENT_KEY)
  const more = trailerValues(trailersOfParts(message), INTENT_KEY)
  const isCited = block.length > 0 || more.length > 0 || isCombined(message)
  const cited = [...new Set([...block, ...more.filter(it => it !== '')])]
  const above = trailerValues(trailersInAnyParagraph(message), INTENT_KEY)
  if (isCited) return { cited, misplaced: [...new Set(above.filter(it => it !== '' && !cited.includes(it)))] }
  const misplaced = [...message.matchAll(CITATION_LINE)].map(([, value = '']) => value.trim())
  return { cited: [], misplaced: [...new Set(misplaced)] }
}

/** The addresses of the authors that `Co-authored-by:` names, in whatever part of the message. */
export function coAuthorsIn(message: string): string[] {
  return [...message.matchAll(CO_AUTHOR_LINE)].map(([, address = '']) => address)
}

const CO_AUTHOR_LINE = /^co-authored-by:[^<\n]*<([^>\n]*)>/gim

/** The value of `Governance:`, which a squash may have in any of its parts; null without one. */
export function governanceIn(message: string): string | null {
  const [own] = trailerValues(parseTrailers(message), GOVERNANCE_KEY)
  if (own !== undefined) return own || null
  return trailerValues(trailersOfParts(message), GOVERNANCE_KEY)[0] || null
}

// Of a message that nobody combined, trailers above other text are no trailers for git either.
function trailersOfParts(message: string): Trailer[] {
  return isCombined(message) ? trailersInAnyParagraph(message) : trailersAtEnd(message)
}

const GOVERNANCE_KEY = 'Governance'
const INTENT_KEY = 'Intent-ID'
const CITATION_LINE = /^[ \t]*Intent-ID[ \t]*:(.*)$/gim

/**
 * The commits that, by its message, a commit was made from: the reverted or picked commit, and each commit that
 * `git merge --squash` squashed. The names are those of the message, so they may be abbreviated.
 */
export function referencedCommits(message: string): string[] {
  const isSquash = message.includes('Squashed commit of the following:')
  const lines = isSquash ? [...REFERENCE_LINES, SQUASHED_COMMIT_LINE] : REFERENCE_LINES
  return [...new Set(lines.flatMap(line => [...message.matchAll(line)].map(([, name = '']) => name)))]
}

// With `git revert --no-commit` a person writes the message, so it may differ from git's.
const REFERENCE_LINES = [
  /^(?:this )?revert(?:s|ed)?(?: of)?(?: commit)? ([0-9a-f]{7,64})\b/gim,
  /^\(cherry picked from commit ([0-9a-f]{7,64})\)\r?$/gm,
]
const SQUASHED_COMMIT_LINE = /^commit ([0-9a-f]{40,64})\r?$/gm
