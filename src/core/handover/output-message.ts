import * as z from 'zod'
import { objectOrNull } from '../base/payload.ts'
import {
  GATE_AGENTS,
  HANDOVER_AGENTS,
  type HandoverAgent,
  mayWriteOutside,
  MESSAGE_STATUSES,
  soleAnswerer,
} from './agents.ts'
import { SESSIONS_FOLDER } from './port.ts'
import { CHECKLIST_AGENTS, isSkippedItem, type ProjectType } from './checklists.ts'
import type { HandoverProblem } from './handover-problem.ts'
import { messageProblem, readMessage } from './message-text.ts'
import { filledText, oneOf, textList } from './schema-parts.ts'

/** What an agent answers with. */
export type OutputMessage = z.output<typeof outputMessage>

/** What is known of a session when an agent's answer is judged. */
export type OutputFacts = {
  /** The agent that answers; null when nobody said. */
  readonly from: HandoverAgent | null
  readonly projectType: ProjectType | null
  /** The blob that a file of the worktree has now, or null for none; null where versions are not compared. */
  readonly blobNow: ((path: string) => string | null) | null
}

/** Checks an answer of an agent: all problems at once. Never throws. */
export function checkOutput(
  text: string,
  facts: OutputFacts,
): { readonly message: OutputMessage | null; readonly problems: readonly HandoverProblem[] } {
  const { value, problems } = readMessage('output', text, outputMessage)
  if (value === null) return { message: null, problems }
  const more = [roleProblems, sourceProblems, gateProblems, severityProblems, checklistProblems, staleProblems].flatMap(
    it => it(value, facts),
  )
  return { message: value, problems: [...problems, ...more] }
}

function roleProblems({ status }: OutputMessage, { from }: OutputFacts): HandoverProblem[] {
  const only = soleAnswerer(status)
  if (only === null || from === null || from === only) return []
  return [messageProblem('status', { expected: `${status} from a ${only} only`, found: `from a ${from}` })]
}

// An agent reports no work that is not for its role.
function sourceProblems({ artifacts }: OutputMessage, { from }: OutputFacts): HandoverProblem[] {
  if (from === null) return []
  const foreign = (artifacts.files_changed ?? []).filter(
    it => !it.replace(/^\.\//, '').startsWith(`${SESSIONS_FOLDER}/`) && !mayWriteOutside(it, from),
  )
  const expected = `files below ${SESSIONS_FOLDER}/, as a ${from} changes no others`
  return foreign.map(found => messageProblem('artifacts/files_changed', { expected, found }))
}

// The OK of a gate leaves none of its own questions open.
function gateProblems({ status, gates }: OutputMessage, { from }: OutputFacts): HandoverProblem[] {
  if (status !== 'OK' || from === null || !GATE_AGENTS.includes(from)) return []
  const wanted = { meets_definition_of_done: true, needs_tests: false, needs_review: false } as const
  const open = (['meets_definition_of_done', 'needs_tests', 'needs_review'] as const).filter(
    it => gates[it] !== wanted[it],
  )
  return open.map(it => {
    const expected = `${it}: ${wanted[it]} with the OK of a ${from}`
    return messageProblem(`gates/${it}`, { expected, found: String(gates[it]) })
  })
}

// What is dangerous stops the work, and what is doubtful is for the user to decide.
function severityProblems({ status, artifacts, gates }: OutputMessage, { from }: OutputFacts): HandoverProblem[] {
  const severities = [...(artifacts.findings ?? []), ...gates.security_concerns].map(severityOf)
  const isHigh = severities.some(it => it === 'high' || it === 'critical')
  if (isHigh && status !== 'BLOCKED' && status !== 'FAIL')
    return [messageProblem('status', { expected: 'BLOCKED, since a finding is high or critical', found: status })]
  if (from !== 'Security' || isHigh || !severities.includes('medium') || status !== 'OK') return []
  return [messageProblem('status', { expected: 'NEEDS_DECISION, since a finding is medium', found: status })]
}

// Agents write a severity as a field, or at the beginning of a sentence, in any case.
function severityOf(finding: unknown): string | null {
  const text = typeof finding === 'string' ? finding : objectOrNull(finding)?.['severity']
  return typeof text === 'string' ? (SEVERITY.exec(text)?.[1]?.toLowerCase() ?? null) : null
}

const SEVERITY = /^\W*(critical|high|medium|low)\b/i

function checklistProblems(message: OutputMessage, { from, projectType }: OutputFacts): HandoverProblem[] {
  if (from === null || projectType === null || !CHECKLIST_AGENTS.includes(from)) return []
  const summary = objectOrNull(message['checklist_summary'] ?? message.artifacts['checklist_summary']) ?? {}
  return Object.entries(summary)
    .filter(([item, result]) => isSkippedItem(item, projectType) && result !== 'N/A')
    .map(([item, result]) =>
      messageProblem(`checklist_summary/${item}`, {
        expected: `N/A in a project of type ${projectType}`,
        found: String(result),
      }),
    )
}

// What was written against another version of a file is out of date.
function staleProblems({ artifacts }: OutputMessage, { blobNow }: OutputFacts): HandoverProblem[] {
  if (blobNow === null) return []
  return Object.entries(artifacts.based_on ?? {})
    .filter(([path, oid]) => (blobNow(path) ?? 'none') !== oid)
    .map(([path, oid]) => ({
      ...messageProblem(`artifacts/based_on/${path}`, { expected: oid, found: blobNow(path) ?? 'no file' }),
      rule: 'handover-stale' as const,
    }))
}

const remarks = z.array(z.union([z.string(), z.looseObject({})]), { error: 'a list of texts or objects' }).optional()

const artifacts = z.looseObject(
  {
    files_to_create_or_update: textList.optional(),
    files_changed: textList.optional(),
    tests_added_or_updated: textList.optional(),
    commands_to_run: textList,
    manual_steps: textList.optional(),
    review_comments: remarks,
    findings: remarks,
    notes: textList,
    /** The blob of each file that the agent read before it wrote. */
    based_on: z
      .record(z.string(), z.string({ error: 'a blob id' }), { error: 'a map of files to blob ids' })
      .optional(),
  },
  { error: 'a map of artifacts' },
)

const flag = z.boolean({ error: 'true or false' })

const outputMessage = z.looseObject(
  {
    status: oneOf(MESSAGE_STATUSES),
    summary: filledText,
    artifacts,
    gates: z.looseObject(
      {
        meets_definition_of_done: flag,
        needs_review: flag,
        needs_tests: flag,
        security_concerns: textList,
      },
      { error: 'a map of gates' },
    ),
    next: z.looseObject(
      {
        recommended_agent: oneOf(HANDOVER_AGENTS),
        recommended_task_id: z.string({ error: 'T-001 or meta' }).regex(/^(?:T-\d+|meta)$/, { error: 'T-001 or meta' }),
        reason: filledText,
      },
      { error: 'a map of recommended_agent, recommended_task_id and reason' },
    ),
  },
  { error: 'an object' },
)
