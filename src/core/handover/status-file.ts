import * as z from 'zod'
import { readJsonFile } from './read-json-file.ts'
import { filledText, moment, oneOf, textList } from './schema-parts.ts'
import { FIX_LOOPS, WORKFLOW_STATES } from './workflow.ts'

/** The content of status.json. Keys that the contract does not know are kept. */
export type StatusFile = z.output<typeof statusFile>

/** A decision of the user, from the question to its end. */
export type UserDecision = StatusFile['user_decisions'][number]

export const STATUS_FILE = 'status.json'

/** Reads the text of a status.json. */
export function readStatus(file: string, text: string) {
  return readJsonFile(file, text, statusFile)
}

export const DESIGN_GATE = 'UD-APPROVE-DESIGN'
export const STRATEGY_GATE = 'UD-REVIEW-STRATEGY'

const DECISION_ENDS = ['answered', 'cancelled', 'skipped'] as const
/** The agents that correct a design. */
export const CORRECTORS = ['SpecAgent', 'Architect', 'Designer'] as const

export type Corrector = (typeof CORRECTORS)[number]

/** What is known of the corrections of a design. */
export type DesignTracking = z.output<typeof correction>

const CORRECTION_STATUSES = ['none', 'queued', 'dispatched', 'completed'] as const

/** The folder of a session: the day on which it began, and a word for it. */
export const SESSION_NAME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])_[a-z0-9]+(?:-[a-z0-9]+)*$/

const sessionError = { error: 'a session such as 2026-01-31_refunds' }
const decisionId = { error: `an id such as UD-1, ${DESIGN_GATE} or ${STRATEGY_GATE}` }
const oids = z.record(z.string(), z.string({ error: 'a blob id' }), { error: 'a map of files to blob ids' })
const retries = z.int({ error: 'a whole number' }).min(0, { error: 'a number from 0 up' })

const decision = z.looseObject(
  {
    decision_id: z.string(decisionId).regex(/^UD-(?:[1-9]\d*|APPROVE-DESIGN|REVIEW-STRATEGY)$/, decisionId),
    question: filledText,
    status: oneOf(['pending', ...DECISION_ENDS]),
    answer: z.string({ error: 'a text or null' }).nullable(),
    asked_at: moment,
    resolved_at: moment.nullable(),
    state_context: oneOf(WORKFLOW_STATES),
    resolution_reason: z.string({ error: 'a text or null' }).nullable(),
    /** True for a question that security asked: only the user ends it. */
    security: z.boolean({ error: 'true or false' }).optional(),
    /** The acceptance criterion that the question is about. */
    criterion: filledText.optional(),
    /** The blobs of the files that an approval is about. */
    approved: oids.optional(),
  },
  { error: 'a decision' },
)

const correction = z.looseObject(
  {
    correction_status: oneOf(CORRECTION_STATUSES).nullish(),
    last_correction_dispatch: z
      .looseObject(
        {
          agent: oneOf(CORRECTORS).nullable(),
          task_id: z.string({ error: 'an id or null' }).nullable(),
          at: moment.nullable(),
          /** The blobs of the design before the corrections. */
          based_on: oids.optional(),
          /** When the agent submitted its answer. */
          answered_at: moment.nullish(),
        },
        { error: 'a map of agent, task_id and at' },
      )
      .nullish(),
  },
  { error: 'a map of correction_status and last_correction_dispatch' },
)

const gateTracking = z.looseObject({ APPROVE_DESIGN: correction.nullish() }, { error: 'a map with APPROVE_DESIGN' })

const statusFile = z.looseObject(
  {
    current_state: oneOf(WORKFLOW_STATES),
    session: z.string(sessionError).regex(SESSION_NAME, sessionError),
    assumptions: textList,
    user_decisions: z.array(decision, { error: 'a list of decisions' }),
    gate_tracking: gateTracking.nullish(),
    runtime_flags: z
      .looseObject(
        {
          copilot_instructions_exists: z.boolean({ error: 'true or false' }).optional(),
          copilot_checked_at: moment.nullish(),
        },
        { error: 'a map' },
      )
      .nullish(),
    retry_counts: z.record(
      z.string(),
      z.partialRecord(z.enum(FIX_LOOPS), retries, { error: `counts of ${FIX_LOOPS.join(', ')}` }),
      { error: 'a map of tasks to their counts' },
    ),
    known_issues: textList,
    last_ci_result: oneOf(['unknown', 'green', 'red']),
    last_update: moment,
    /** Lean sessions say so; one without the key is full, unless it is in INTAKE_LEAN. */
    mode: oneOf(['full', 'lean']).optional(),
    blocker: z.string({ error: 'a text or null' }).nullish(),
    /** The state that BLOCKED interrupted. */
    blocked_from: oneOf(WORKFLOW_STATES).nullish(),
    /** The commit on which the session began. */
    base_commit: z.string({ error: 'a commit or null' }).nullish(),
    /** What each artifact was written against: the blobs of the files that its author read. */
    artifact_bases: z.record(z.string(), oids, { error: 'a map of artifacts to blob ids' }).optional(),
    /** The checks of acceptance that passed, and the tree of files they ran on. */
    acceptance_results: z
      .record(z.string(), z.looseObject({ status: oneOf(['passed', 'failed']), tree: z.string() }))
      .optional(),
  },
  { error: 'an object with the state of the session' },
)
