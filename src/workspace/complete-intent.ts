import { intentNamed } from '../intents/find.ts'
import type { Criterion, Intent } from '../intents/intent.ts'
import type { Finding } from '../report/finding.ts'
import { refuseIllegal, restIntent } from './change-intents.ts'
import { loadRegistry } from './policy.ts'
import { record } from './record.ts'
import { type Check, runCheck } from './run-check.ts'
import { liveSessions } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** How one acceptance criterion stands: a check by its exit code, anything else by a person's word. */
export type CriterionResult = { readonly criterion: string; readonly met: boolean; readonly why: string }

/** A completed intent, or the criteria that stand in its way. */
export type Completion = {
  readonly intent: Intent
  readonly results: readonly CriterionResult[]
  readonly findings: readonly Finding[]
}

export type CompletionWish = {
  readonly id: string
  readonly reason: string | null
  /** A person says that every criterion without a check is met. */
  readonly attested: boolean
  readonly env: NodeJS.ProcessEnv
  /** Told before each check runs. */
  readonly running: (command: string) => void
}

/** Completes an intent when every check passes on the tree as it is, and a person attests the rest. */
export async function completeIntent(workspace: Workspace, wish: CompletionWish): Promise<Completion> {
  const intent = intentNamed((await loadRegistry(workspace)).intents, wish.id)
  if (await wasCutOff(workspace, intent)) return { intent: await rest(workspace, wish), results: [], findings: [] }
  refuseIllegal(intent, 'COMPLETED')
  const results: CriterionResult[] = []
  for (const criterion of criteriaOf(intent)) results.push(await resultOf(workspace, criterion, wish))
  const findings = results.filter(it => !it.met).map(it => findingOf(wish.id, it))
  if (findings.length > 0) return { intent, results, findings }
  if (wish.attested)
    await record(workspace, [{ event: { event: 'attested', intent: wish.id, criteria: prose(intent) } }])
  return { intent: await rest(workspace, wish), results, findings }
}

// It is completed already, and somebody is still at work on it: an earlier call ended in between.
async function wasCutOff(workspace: Workspace, { id, status }: Intent): Promise<boolean> {
  return status === 'COMPLETED' && (await liveSessions(workspace)).some(it => it.intent === id)
}

function rest(workspace: Workspace, wish: CompletionWish): Promise<Intent> {
  return restIntent(workspace, { ...wish, to: 'COMPLETED' })
}

const NO_CRITERIA = 'The work is done (the intent names no criteria)'

// Nothing to check is never success by itself: then somebody has to say that the work is done.
function criteriaOf({ acceptance_criteria }: Intent): readonly Criterion[] {
  return acceptance_criteria.length > 0 ? acceptance_criteria : [NO_CRITERIA]
}

function prose(intent: Intent): string[] {
  return criteriaOf(intent).filter(it => typeof it === 'string')
}

async function resultOf(workspace: Workspace, criterion: Criterion, wish: CompletionWish): Promise<CriterionResult> {
  if (typeof criterion === 'string') {
    return { criterion, met: wish.attested, why: wish.attested ? 'attested' : 'not attested' }
  }
  return checkResult(workspace, criterion, wish)
}

async function checkResult(
  workspace: Workspace,
  check: Check,
  { id, env, running }: CompletionWish,
): Promise<CriterionResult> {
  const { cmd } = check
  running(cmd)
  const { exit, timedOut, met, why } = await runCheck(workspace, check, env)
  await record(workspace, [{ event: { event: 'check-run', intent: id, command: cmd, exit, timed_out: timedOut } }])
  return { criterion: cmd, met, why }
}

function findingOf(id: string, { criterion, why }: CriterionResult): Finding {
  const hint = why === 'not attested' ? `Attest it with \`kotef intent complete ${id} --attest\`.` : 'Make it pass.'
  return { rule: 'criteria-met', level: 'block', path: null, message: `${criterion}: ${why}`, hint }
}
