import type { Finding } from '../base/finding.ts'
import type { PathChange } from '../git/changes.ts'
import type { Config } from '../intents/config.ts'
import { globList } from '../base/globs.ts'

/** What is known of a commit of a bot: the addresses of its authors, and the paths that it changes. */
export type BotCommit = {
  readonly author: string
  /** Those that its message names: a squash of the work of several has one author. */
  readonly coAuthors?: readonly string[]
  readonly changes: readonly Pick<PathChange, 'path'>[]
}

/**
 * The findings without those that do not apply to a bot: it needs no intent for the paths that the config lists. The
 * other paths of a commit, as of a person's fix that is squashed with the bot's, need one.
 */
export function withoutBotFindings(
  findings: readonly Finding[],
  commit: BotCommit,
  bots: Config['bots'] = [],
): Finding[] {
  const covers = pathsOfBot(commit, bots)
  const isWhole = isByBot(commit, bots)
  const isExempt = ({ rule, path }: Finding) => INTENT_RULES.includes(rule) && (path === null ? isWhole : covers(path))
  return findings.filter(it => !isExempt(it))
}

/** True for a commit of a bot that needs no intent. Anybody can set an author's address, so the paths count as well. */
export function isByBot(commit: BotCommit, bots: Config['bots'] = []): boolean {
  return commit.changes.length > 0 && commit.changes.every(it => pathsOfBot(commit, bots)(it.path))
}

function pathsOfBot({ author, coAuthors = [] }: BotCommit, bots: Config['bots'] = []): (path: string) => boolean {
  const authors = [author, ...coAuthors].map(it => it.toLowerCase())
  const own = bots.filter(it => authors.includes(it.email.toLowerCase())).map(({ paths }) => globList(paths))
  return path => own.some(covers => covers(path)?.kind === 'in')
}

const INTENT_RULES = ['intent-named', 'intent-known', 'intent-open', 'in-scope', 'trailer-misplaced']
