import type { Finding } from '../base/finding.ts'
import type { PathChange } from '../git/changes.ts'
import type { Config } from '../intents/config.ts'
import { globList } from '../base/globs.ts'

/** What is known of a commit of a bot: the address of its author, and the paths that it changes. */
export type BotCommit = { readonly author: string; readonly changes: readonly Pick<PathChange, 'path'>[] }

/** The findings without those that do not apply to a bot: it needs no intent for the paths that the config lists. */
export function withoutBotFindings(
  findings: readonly Finding[],
  commit: BotCommit,
  bots: Config['bots'] = [],
): Finding[] {
  const exempt = isByBot(commit, bots) ? INTENT_RULES : []
  return findings.filter(it => !exempt.includes(it.rule))
}

/** True for a commit of a bot that needs no intent. Anybody can set an author's address, so the paths count as well. */
export function isByBot({ author, changes }: BotCommit, bots: Config['bots'] = []): boolean {
  const own = bots.filter(it => it.email.toLowerCase() === author.toLowerCase())
  return own.some(({ paths }) => {
    const covers = globList(paths)
    return changes.length > 0 && changes.every(it => covers(it.path)?.kind === 'in')
  })
}

const INTENT_RULES = ['intent-named', 'intent-known', 'intent-open', 'in-scope', 'trailer-misplaced']
