import { type Criterion, findIntent, type Intent } from '../intents/intent.ts'
import type { Finding } from '../findings/finding.ts'
import { refuseIllegalTransition, stopIntent } from './change-intents.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { type CommandCheck, runCheck } from '../registry/run-check.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Whether an acceptance criterion is met: a check by its exit code, any other criterion by a person's attestation. */
export type CriterionResult = { readonly criterion: string; readonly met: boolean; readonly why: string }

/** A completed intent, or findings for the criteria that are not met. */
export type Completion = {
  readonly intent: Intent
  readonly results: readonly CriterionResult[]
  readonly findings: readonly Finding[]
}

export type CompletionOptions = {
  readonly id: string
  readonly reason: string | null
  /** A person attests that every criterion without a check is met. */
  readonly attested: boolean
  readonly env: NodeJS.ProcessEnv
  /** Called before each check runs. */
  readonly onCheckStart: (command: string) => void
}

/** Completes an intent when every check passes in the worktree, and a person attests the other criteria. */
export async function completeIntent(workspace: Workspace, options: CompletionOptions): Promise<Completion> {
  const intent = findIntent((await loadRegistry(workspace)).intents, options.id)
  if (await wasInterrupted(workspace, intent))
    return { intent: await finishIntent(workspace, options), results: [], findings: [] }
  refuseIllegalTransition(intent, 'COMPLETED')
  const results: CriterionResult[] = []
  for (const criterion of requiredCriteria(intent)) results.push(await criterionResult(workspace, criterion, options))
  const findings = results.filter(it => !it.met).map(it => unmetFinding(options.id, it))
  if (findings.length > 0) return { intent, results, findings }
  if (options.attested)
    await appendRecords(workspace, [
      { event: { event: 'attested', intent: options.id, criteria: attestableCriteria(intent) } },
    ])
  return { intent: await finishIntent(workspace, options), results, findings }
}

// A completed intent with a live session: an earlier call was interrupted before it ended the sessions.
async function wasInterrupted(workspace: Workspace, { id, status }: Intent): Promise<boolean> {
  return status === 'COMPLETED' && (await liveSessions(workspace)).some(it => it.intent === id)
}

function finishIntent(workspace: Workspace, options: CompletionOptions): Promise<Intent> {
  return stopIntent(workspace, { ...options, to: 'COMPLETED' })
}

const NO_CRITERIA = 'The work is done (the intent names no criteria)'

// An intent without criteria still needs a person, who attests that the work is done.
function requiredCriteria({ acceptance_criteria }: Intent): readonly Criterion[] {
  return acceptance_criteria.length > 0 ? acceptance_criteria : [NO_CRITERIA]
}

function attestableCriteria(intent: Intent): string[] {
  return requiredCriteria(intent).filter(it => typeof it === 'string')
}

async function criterionResult(
  workspace: Workspace,
  criterion: Criterion,
  options: CompletionOptions,
): Promise<CriterionResult> {
  if (typeof criterion === 'string') {
    return { criterion, met: options.attested, why: options.attested ? 'attested' : 'not attested' }
  }
  return runCriterion(workspace, criterion, options)
}

async function runCriterion(
  workspace: Workspace,
  check: CommandCheck,
  { id, env, onCheckStart }: CompletionOptions,
): Promise<CriterionResult> {
  const { cmd } = check
  onCheckStart(cmd)
  const { exit, timedOut, met, why } = await runCheck(workspace, check, env)
  await appendRecords(workspace, [
    { event: { event: 'check-run', intent: id, command: cmd, exit, timed_out: timedOut } },
  ])
  return { criterion: cmd, met, why }
}

function unmetFinding(id: string, { criterion, why }: CriterionResult): Finding {
  const hint = why === 'not attested' ? `Attest it with \`kotef intent complete ${id} --attest\`.` : 'Make it pass.'
  return { rule: 'criteria-met', level: 'block', path: null, message: `${criterion}: ${why}`, hint }
}
