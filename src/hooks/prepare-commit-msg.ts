import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMerging, isReplaying } from '../commits/git-operation.ts'
import { squashedIntents, isSquashing } from './squashed-intents.ts'
import { liveIntents } from './staged-facts.ts'
import { intentsToStamp, readCommitMessage, addIntentTrailers } from './commit-message.ts'
import { gatherHere } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'
import { currentPolicyHere } from './policy-here.ts'

/**
 * Adds the live intent's trailer when no editor opens, or when the message is not empty and git may skip commit-msg.
 * A merge needs no intent. In a rebase each commit keeps its own trailers, and a squash gets those of all its commits.
 */
export function prepareCommitMsg(context: HookContext, { file, source }: { file: string; source: string }): void {
  const squashing = isSquashing(context)
  if (gatherHere(isMerging(context)) || (!squashing && gatherHere(isReplaying(context)))) return
  if (!squashing && context.edited && source !== 'message' && source !== 'merge') return
  const { compiledPolicy } = currentPolicyHere(context)
  // The message of a squash contains git's comments, also when no editor opens; that of fixups alone does not.
  const edited = squashing ? !existsSync(join(context.gitDir, 'rebase-merge/message-fixup')) : context.edited
  const message = readCommitMessage({ ...context, edited }, file)
  const squashed = squashedIntents(context, {
    comment: message.cleanup.comment,
    intents: compiledPolicy.policy.intents,
  })
  addIntentTrailers(
    message,
    intentsToStamp(message, { live: squashing ? [] : liveIntents(context, compiledPolicy.sessions), squashed }),
  )
}
