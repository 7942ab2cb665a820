import { intentWithTicket } from '../intents/registry/intent-ticket.ts'
import type { Finding } from '../../core/base/finding.ts'
import type { Criterion, Intent } from '../../core/intents/intent.ts'
import type { PersonProof } from '../../core/ledger/event.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { attestedNow } from '../checks/attestations.ts'
import { runChecks } from '../checks/run-checks.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { currentIntent, refuseIllegalTransition, stopIntent } from './change-intents.ts'

/** Whether an acceptance criterion is met: a check by its exit code, any other criterion by a person's attestation. */
export type CriterionResult = { readonly criterion: string; readonly met: boolean; readonly why: string }

/** A completed intent, or findings for the criteria that are not met. */
export type Completion = {
  readonly intent: Intent
  readonly results: readonly CriterionResult[]
  readonly findings: readonly Finding[]
}

type CompletionOptions = {
  readonly ids: readonly string[]
  readonly reason: string | null
  /** Whether the criteria without a check are attested, with the proof that a person does it; null when not. */
  readonly attested: PersonProof | null
  readonly env: NodeJS.ProcessEnv
  /** Called before each check runs. */
  readonly onCheckStart: (command: string) => void
}

/**
 * Completes intents when all their checks pass in the worktree, and a person attests the other criteria. A check that
 * several have runs once. The first one with an unmet criterion ends it: then none is completed.
 */
export async function completeIntents(
  workspace: Workspace,
  options: CompletionOptions,
): Promise<readonly Completion[]> {
  const passesSince = workspace.clock.now()
  const judged: Completion[] = []
  for (const id of new Set(options.ids)) {
    const completion = await judgeCompletion(workspace, id, { ...options, passesSince })
    judged.push(completion)
    if (completion.findings.length > 0) return judged
  }
  const completed: Completion[] = []
  for (const it of judged) completed.push({ ...it, intent: await finishIntent(workspace, it, options) })
  return completed
}

type CompletionTerms = CompletionOptions & { readonly passesSince: number }

async function judgeCompletion(workspace: Workspace, id: string, terms: CompletionTerms): Promise<Completion> {
  const intent = await intentWithTicket(workspace, await currentIntent(workspace, id))
  if (await wasInterrupted(workspace, intent)) return { intent, results: [], findings: [] }
  refuseIllegalTransition(intent, 'COMPLETED')
  const results: CriterionResult[] = []
  for await (const it of criterionResults(workspace, intent, terms)) results.push(it)
  return { intent, results, findings: results.filter(it => !it.met).map(it => unmetFinding(id, it)) }
}

// A completed intent with a live session: an earlier call was interrupted before it ended the sessions.
async function wasInterrupted(workspace: Workspace, { id, status }: Intent): Promise<boolean> {
  return status === 'COMPLETED' && (await liveSessions(workspace)).some(it => it.intent === id)
}

async function finishIntent(
  workspace: Workspace,
  { intent, results }: Completion,
  { attested, reason }: CompletionOptions,
): Promise<Intent> {
  const { id, status: from } = intent
  if (attested && results.length > 0) {
    const criteria = attestableCriteria(intent)
    await appendRecords(workspace, [{ event: { event: 'attested', intent: id, criteria, person: attested } }])
  }
  return stopIntent(workspace, { id, from, to: 'COMPLETED', reason })
}

const NO_CRITERIA = 'The work is done (the intent names no criteria)'

// An intent without criteria still needs a person, who attests that the work is done.
function requiredCriteria({ acceptance_criteria }: Intent): readonly Criterion[] {
  return acceptance_criteria.length > 0 ? acceptance_criteria : [NO_CRITERIA]
}

/** The criteria of an intent that a person attests. */
export function attestableCriteria(intent: Intent): string[] {
  return requiredCriteria(intent).filter(it => typeof it === 'string')
}

async function* criterionResults(
  workspace: Workspace,
  intent: Intent,
  { env, attested, passesSince, onCheckStart }: CompletionTerms,
): AsyncGenerator<CriterionResult, void> {
  const { id } = intent
  const criteria = requiredCriteria(intent)
  const commands = criteria.filter(it => typeof it !== 'string')
  const manual = attested ? [] : criteria.filter(it => typeof it === 'string')
  const { criteria: known } = await attestedNow(workspace, { intent: id, criteria: manual }, env)
  const checks = runChecks(workspace, commands, { intent: id, env, passesSince, running: onCheckStart })
  for (const criterion of criteria) {
    if (typeof criterion === 'string') {
      const met = attested !== null || known.includes(criterion)
      yield { criterion, met, why: met ? 'attested' : 'not attested' }
    } else
      for (const it of await nextOf(checks)) yield { criterion: it.command, met: it.status === 'passed', why: it.why }
  }
}

async function nextOf<T>(items: AsyncIterator<T, void>): Promise<T[]> {
  const { value, done } = await items.next()
  return done ? [] : [value]
}

function unmetFinding(id: string, { criterion, why }: CriterionResult): Finding {
  const hint =
    why === 'not attested'
      ? `Attest it with \`kotef attest ${id}\`, or \`kotef intent complete ${id} --attest\`.`
      : 'Make it pass.'
  return { rule: 'criteria-met', level: 'block', path: null, message: `${criterion}: ${why}`, hint }
}
