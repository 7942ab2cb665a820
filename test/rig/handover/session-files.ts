// The files of a session of the handover, in any state: `sessionIn(state, edits)`.

import { stringify } from 'yaml'
import { designBlobs } from '../../../src/core/handover/handover-session.ts'
import { type MainState, phaseOf } from '../../../src/core/handover/workflow.ts'
import { answersFor } from './answers.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'

// A document of any shape, as tests break it.
type Json = ReturnType<typeof JSON.parse>

/** How a session differs from a plain one in its state. */
export type SessionEdits = {
  readonly lean?: boolean
  readonly status?: (status: Json) => void
  readonly tasks?: (tasks: Json[]) => void
  /** Texts of files; null removes one. */
  readonly files?: Readonly<Record<string, string | null>>
}

export const SESSION = '2026-01-31_refunds'
const ASKED = '2026-01-31T09:00:00Z'
const ENDED = '2026-01-31T10:00:00Z'

const SPEC =
  '# Spec\n\n## Goals\n\nRefunds.\n\n## Acceptance Criteria\n\n- AC-001\n\n## Definition of Done\n\n- Tests pass.\n'
const ARCHITECTURE = '# Architecture\n\n## Overview\n\nOne module.\n\n## Modules/components\n\n- refund\n'
const REPORT = ['What was done', 'How to run', 'How to test', 'Known issues']
  .map(it => `## ${it}\n\nSee it.\n`)
  .join('\n')
const ACCEPTANCE = {
  acceptance_criteria: [{ id: 'AC-001', description: 'Refunds work', verify: ['cmd: true', 'manual: look at one'] }],
}

/** The files of a session that breaks no rule, in a state; `edits` are made last. */
export function sessionIn(state: MainState, edits: SessionEdits = {}): SessionFiles {
  const { lean = false } = edits
  const has = (from: MainState): boolean => phaseOf(state) >= phaseOf(from)
  const texts = new Map<string, string>([
    ['spec.md', SPEC],
    ['acceptance.json', json(ACCEPTANCE)],
  ])
  if (has('APPROVE_DESIGN') && !lean) texts.set('architecture.md', ARCHITECTURE)
  const tasks = [task('T-001', taskStatus(state))]
  edits.tasks?.(tasks)
  if (has('REVIEW_STRATEGY')) texts.set('tasks.yaml', stringify({ project: { name: 'refunds' }, tasks }))
  if (state === 'DONE') texts.set('report.md', REPORT)
  for (const { id, status } of tasks)
    if (has('REVIEW_STRATEGY') && status === 'completed')
      for (const [file, text] of Object.entries(answersFor(id, SESSION))) texts.set(file, text)
  const status: Json = statusIn(state, lean)
  if (has('PLAN') && !lean) status['user_decisions'].push({ ...approval(), approved: designBlobs({ texts }) })
  if (has('IMPLEMENT_LOOP') && !lean) status['user_decisions'].push(strategy('per-batch'))
  if (state === 'DONE')
    status['user_decisions'].push(answered(1, 'met: I looked', { criterion: 'AC-001', state_context: 'RELEASE' }))
  edits.status?.(status)
  texts.set('status.json', json(status))
  for (const [file, text] of Object.entries(edits.files ?? {}))
    if (text === null) texts.delete(file)
    else texts.set(file, text)
  return { name: SESSION, texts }
}

function taskStatus(state: MainState): string {
  if (phaseOf(state) < phaseOf('IMPLEMENT_LOOP')) return 'not-started'
  return phaseOf(state) > phaseOf('IMPLEMENT_LOOP') ? 'completed' : 'in-progress'
}

function statusIn(state: MainState, lean: boolean): Json {
  const counts = state.startsWith('FIX_') ? { 'T-001': { [state]: 1 } } : {}
  return {
    current_state: state,
    session: SESSION,
    ...(lean ? { mode: 'lean' } : {}),
    assumptions: ['one currency'],
    user_decisions: [] as Json[],
    retry_counts: counts,
    known_issues: [],
    last_ci_result: 'unknown',
    last_update: ENDED,
    ...(state === 'DONE' ? { acceptance_results: { 'AC-001': { status: 'passed', tree: 'a'.repeat(40) } } } : {}),
  }
}

/** A task with all that it needs. */
export function task(id: string, status: string): Json {
  return { id, status, goal: 'Refund a payment', acceptance_checks: ['cmd: npm test'], depends_on: [] }
}

/** A question that waits for an answer. */
export function pending(number: number | string, more: Json = {}): Json {
  return {
    decision_id: `UD-${number}`,
    question: 'Which currency?',
    status: 'pending',
    answer: null,
    asked_at: ASKED,
    resolved_at: null,
    state_context: 'IMPLEMENT_LOOP',
    resolution_reason: null,
    ...more,
  }
}

/** A question that was answered. */
export function answered(number: number | string, answer: string, more: Json = {}): Json {
  return pending(number, { status: 'answered', answer, resolved_at: ENDED, ...more })
}

/** The approval of a design. */
export function approval(answer = 'approved'): Json {
  return answered('APPROVE-DESIGN', answer, { question: 'Is the design right?', state_context: 'APPROVE_DESIGN' })
}

/** The choice of a review strategy. */
export function strategy(answer: string): Json {
  return answered('REVIEW-STRATEGY', answer, { question: 'How to review?', state_context: 'REVIEW_STRATEGY' })
}

/** A line of the history of requests for changes. */
export function historyLine(answer: string): string {
  return `${JSON.stringify({ at: ENDED, decision_id: 'UD-APPROVE-DESIGN', answer, state_context: 'APPROVE_DESIGN' })}\n`
}

/** A value as the text of a JSON file. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The same files under the name of another session. */
export function renamed({ texts }: SessionFiles, name: string): SessionFiles {
  return { name, texts: new Map([...texts].map(([file, text]) => [file, text.replaceAll(SESSION, name)] as const)) }
}

/** What is known of the corrections of a design, which the Architect has unless nobody has them yet. */
export function corrections(correction_status: string, more: Json = {}): Json {
  const isGiven = correction_status === 'dispatched' || correction_status === 'completed'
  const dispatch = { agent: isGiven ? 'Architect' : null, task_id: isGiven ? 'meta' : null, at: isGiven ? ENDED : null }
  return { APPROVE_DESIGN: { correction_status, last_correction_dispatch: { ...dispatch, ...more } } }
}

/** A session whose user has requested changes, in a state, with its corrections. */
export function correcting(state: MainState, tracking: Json, files: SessionEdits['files'] = {}): SessionFiles {
  const answer = 'changes-requested: smaller'
  return sessionIn(state, {
    status: it => {
      it['user_decisions'].push(approval(answer))
      it['gate_tracking'] = tracking
    },
    files: { 'approve-design-history.jsonl': historyLine(answer), ...files },
  })
}

/** A session whose user has requested changes; a session that keeps to the rules has them in its history. */
export function requested({ kept, answer }: { readonly kept: boolean; readonly answer: string }): SessionFiles {
  return sessionIn('APPROVE_DESIGN', {
    status: it => it['user_decisions'].push(approval(answer)),
    files: kept ? { 'approve-design-history.jsonl': historyLine(answer) } : {},
  })
}
