import { isBelowAmend } from '../../world/io/process/processes.ts'
import { gatherUncited, intentSources } from '../../world/commits/intent-sources.ts'
import { type StagedFacts, sortChanges } from '../../core/rules/commit-facts.ts'
import { ownersOf } from '../../core/rules/owners.ts'
import { resolveIntents } from '../../core/rules/resolve-intents.ts'
import { trailerValues } from '../../core/git/trailers/parse-trailers.ts'
import { type AddedTrailers, type CommitMessage, squashedIntents, squashedReasons } from './commit-message.ts'
import { gatherHere } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'

/** The trailers to add to a message: of intents, and of the reasons of squashed changes of governance files. */
export function trailersToAdd(context: HookContext, message: CommitMessage, facts: StagedFacts): AddedTrailers {
  return { intents: intentsToAdd(context, message, facts), reasons: reasonsToAdd(context, message, facts) }
}

function reasonsToAdd(context: HookContext, message: CommitMessage, facts: StagedFacts): readonly string[] {
  const { isEmpty, isBlank, trailers, cleanup } = message
  if (isEmpty || isBlank || trailerValues(trailers, 'Governance').length > 0) return []
  const governs = sortChanges(facts).governanceFiles.length > 0
  return governs ? squashedReasons(context, cleanup) : []
}

/**
 * The intents to add to a message: those of the commits that git combines, else those that the commit is for; none when
 * the message is empty, or cites an intent or `Governance` itself.
 */
function intentsToAdd(context: HookContext, message: CommitMessage, facts: StagedFacts): readonly string[] {
  const { isEmpty, isBlank, trailers, cited } = message
  if (isEmpty || isBlank || trailerValues(trailers, 'Governance').length > 0) return []
  const inBlock = trailerValues(trailers, 'Intent-ID')
  const { comment } = message.cleanup
  const squashed = squashedIntents(context, { comment, intents: facts.policy.intents })
  if (squashed.length > 0) return squashed.filter(it => !inBlock.includes(it))
  // Two `-m 'Intent-ID: …'` are two paragraphs, and git finds trailers only in the last one.
  return cited.length > 0 ? cited.filter(it => !inBlock.includes(it)) : resolvedIntents(context, message, facts)
}

function resolvedIntents(context: HookContext, { text }: CommitMessage, facts: StagedFacts): readonly string[] {
  const { changes, live, byAgent } = facts
  const message = Buffer.from(text, 'latin1').toString('utf8')
  const pending = { root: '', gitDir: context.gitDir, author: context.author, now: Date.now(), message, changes }
  const uncited = isBelowAmend() ? gatherHere(gatherUncited(pending)) : []
  const all = [...changes, ...uncited]
  const sources = intentSources({ ...pending, changes: all }, { cited: [], live, byAgent })
  const staged = uncited.length === 0 ? facts : { ...facts, changes: all }
  const sorted = sortChanges(staged)
  // What a merge brings from a history that nobody judged, somebody has to answer for.
  if (facts.brought?.some(it => sorted.work.includes(it))) return []
  const { intents } = gatherHere(resolveIntents({ staged, sorted }, sources))
  if (intents.length > 0 || live.length !== 1) return intents
  // An agent's commit is judged by the intent of its session; and so is one with a path that nobody owns.
  return byAgent || ownersOf(sorted.work, facts, sorted).trailers === null ? live : []
}
