import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../findings/finding.ts'
import { type CommitFacts, onlySettlesConflicts, type StagedFacts } from '../rules/commit-facts.ts'
import { isMerging, isReplaying } from '../commits/git-operation.ts'
import { judgeCommit } from '../rules/judge-commit.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { trailerValues } from '../trailers/parse-trailers.ts'
import { addIntentTrailers, intentsToStamp, isSquashing, readCommitMessage, squashedIntents } from './commit-message.ts'
import { liveIntents, stagedFacts } from './staged-facts.ts'
import { gatherHere } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'
import { currentPolicyHere } from './policy-here.ts'

/** Judges the commit by its message, and adds the live intent to a message from an editor that cites none. */
export function commitMsg(context: HookContext, file: string): Finding[] {
  rmSync(join(context.compiled, 'passed'), { force: true })
  const message = readCommitMessage(context, file)
  // Git refuses an empty message itself, and a rebased commit was judged when it was first made.
  if (message.isEmpty || gatherHere(isReplaying(context))) return []
  const facts = stagedFacts(context, currentPolicyHere(context).compiledPolicy, message.text)
  const cited = trailerValues(message.trailers, 'Intent-ID')
  const [governance = null] = trailerValues(message.trailers, 'Governance')
  const squashed = squashedIntents(context, { comment: message.cleanup.comment, intents: facts.policy.intents })
  const added = needsNoIntent(facts) ? [] : intentsToStamp(message, { live: facts.live, squashed })
  const findings = judgeCommit({ ...facts, governance, cited: [...cited, ...added], misplaced: [] })
  if (findings.some(it => it.level === 'block')) return findings
  addIntentTrailers(message, added)
  dropFastPathFile(context, facts)
  // pre-merge-commit or pre-commit has printed the findings of a merge.
  return facts.conflicted === null ? findings : []
}

// A merge needs an intent only for changes besides the resolution of conflicts.
function needsNoIntent(facts: StagedFacts): boolean {
  return facts.adoption || onlySettlesConflicts(facts)
}

// After a commit that changes a policy file, the compiled scope belongs to the policy from before.
function dropFastPathFile({ compiled }: HookContext, { changes }: Pick<CommitFacts, 'changes'>): void {
  const file = join(compiled, 'active')
  if (changes.some(it => POLICY_FILES.includes(it.path)) && existsSync(file)) rmSync(file, { force: true })
}

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
