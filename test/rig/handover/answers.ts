// The answers by which the gates of a task pass: `answersFor('T-001', session)`.

import { blobOid } from '../../../src/core/git/blob-oid.ts'
import type { HandoverAgent } from '../../../src/core/handover/agents.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { answerFile, type TaskFacts } from '../../../src/core/handover/task-gates.ts'

type Ids = Readonly<Record<string, string>>

/** A file that the Coder of a session's task has removed. */
const REMOVED: Ids = { 'src/gone.ts': 'none' }

/** The text of an agent's kept answer, but for what is changed in it. */
export function keptAnswer(based_on: Ids, more: object = {}): string {
  const gates = { meets_definition_of_done: true, needs_review: false, needs_tests: false, security_concerns: [] }
  const next = { recommended_agent: 'Orchestrator', recommended_task_id: 'meta', reason: 'It is done.' }
  const artifacts = { commands_to_run: [], notes: [], based_on }
  return JSON.stringify({ status: 'OK', summary: 'It works.', artifacts, gates, next, ...more })
}

/** The text of a Coder's answer about files with their ids. */
export function coderAnswer(files: Ids = REMOVED): string {
  const artifacts = { files_changed: Object.keys(files), commands_to_run: [], notes: [], based_on: files }
  return keptAnswer(files, { artifacts })
}

/** What the OK of a gate says that it was given for. */
export function givenFor(task: string, session: string, coder = coderAnswer()): Ids {
  const { based_on } = (JSON.parse(coder) as { artifacts: { based_on: Ids } }).artifacts
  return { ...based_on, [`.agents-work/${session}/${answerFile(task, 'Coder')}`]: blobOid(Buffer.from(coder)) }
}

/** The files of the answers with which a task is completed. */
export function answersFor(task: string, session: string, files: Ids = REMOVED): Record<string, string> {
  const coder = coderAnswer(files)
  const gates: readonly HandoverAgent[] = ['Reviewer', 'QA', 'Security']
  const kept = gates.map(it => [answerFile(task, it), keptAnswer(givenFor(task, session, coder))] as const)
  return { [answerFile(task, 'Coder')]: coder, ...Object.fromEntries(kept) }
}

/** The facts for the gates of a session as it is; no file outside of it is there. */
export function gatesIn(files: SessionFiles | null): TaskFacts {
  return { answers: files?.texts ?? new Map(), idsOf: () => ['none'], isLater: false }
}
