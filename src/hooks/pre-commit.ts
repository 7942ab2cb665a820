import type { Finding } from '../findings/finding.ts'
import { judgeStaged } from '../rules/judge-staged.ts'
import type { CompiledPolicy } from '../scope/compiled-policy.ts'
import { stagedFacts } from './staged-facts.ts'
import type { HookContext } from './hook-context.ts'

/** Judges the staged changes: blocks those that no commit message could justify. */
export function preCommit(context: HookContext, compiledPolicy: CompiledPolicy): Finding[] {
  return judgeStaged(stagedFacts(context, compiledPolicy))
}
