import { GATE_AGENTS, type HandoverAgent, SOURCE_WRITERS } from './agents.ts'
import { sessionOfPath } from './port.ts'
import { answeredCorrections } from './corrections.ts'
import { blobsOf, CONTRACT_FILES, type HandoverSession, sessionPath } from './handover-session.ts'
import type { OutputMessage } from './output-message.ts'
import { refusedEdit, type SessionEdit, statusOf, statusFileText } from './session-edit.ts'
import { STATUS_FILE } from './status-file.ts'
import { answerFile, type TaskFacts, idsOfWork, implementationOf } from './task-gates.ts'

/** An answer that an agent submits for a task. */
export type Submission = {
  readonly agent: HandoverAgent
  /** T-001, or meta for one that is about the session. */
  readonly task: string
  readonly message: OutputMessage
}

/** The moment of a submission, and what is known of the session then. */
export type SubmittedAt = { readonly now: string; readonly facts: TaskFacts }

/** Keeps an answer, with the blobs of the files that it was written against; an artifact of it names them too. */
export function submitAnswer(
  session: HandoverSession,
  { agent, task, message }: Submission,
  { now, facts }: SubmittedAt,
): SessionEdit {
  const status = statusOf(session)
  const isKnown = task === 'meta' || session.tasks?.tasks.some(it => it.id === task)
  if (!isKnown) throw refusedEdit(`${session.name} has no task ${task}.`, 'Name one: `--task T-001`, or `--task meta`')
  const changed = message.artifacts.files_changed ?? message.artifacts.files_to_create_or_update ?? []
  const own = changed.flatMap(it => artifactOf(it, session.name))
  const read = CONTRACT_FILES.filter(it => it !== STATUS_FILE && !own.includes(it))
  const versions = message.artifacts.based_on ?? withPaths(session.name, blobsOf(session, read))
  const based = { ...versions, ...workBehind(session, { agent, task, message }, facts) }
  const bases = own.map(it => [it, blobsOf(session, read)] as const)
  const artifact_bases = { ...status.artifact_bases, ...Object.fromEntries(bases) }
  const isCorrection = task === 'meta' && message.status === 'OK'
  const next = { ...status, artifact_bases }
  const noted = isCorrection ? answeredCorrections(next, agent, now) : next
  const kept = { agent, task, at: now, ...message, artifacts: { ...message.artifacts, based_on: based } }
  const text = `${JSON.stringify(kept, null, 2)}\n`
  return {
    files: { [answerFile(task, agent)]: text, [STATUS_FILE]: statusFileText(noted, now) },
  }
}

// The OK of a gate is for what a Coder has made, and the answer of one that writes source for what it has written.
function workBehind(
  session: HandoverSession,
  { agent, task, message }: Submission,
  facts: TaskFacts,
): Record<string, string> {
  if (SOURCE_WRITERS.includes(agent)) return idsOfWork(message, facts)
  if (task === 'meta' || !GATE_AGENTS.includes(agent)) return {}
  const work = implementationOf(task, session.name, facts)
  if (typeof work !== 'string') {
    const status = session.tasks?.tasks.find(it => it.id === task)?.status
    if (message.status !== 'OK' || status === 'implemented' || status === 'completed') return work
    throw refusedEdit(`${task} is ${status}: the OK of a ${agent} is for what is implemented.`)
  }
  if (message.status !== 'OK') return {}
  const hint = `The Coder's answer first: \`kotef handover submit answer.json --role Coder --task ${task}\``
  throw refusedEdit(`${task} has nothing that the OK of a ${agent} could be for. ${work}.`, hint)
}

function artifactOf(path: string, session: string): string[] {
  const place = sessionOfPath(path)
  return place?.session === session && CONTRACT_FILES.includes(place.file) ? [place.file] : []
}

function withPaths(session: string, blobs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(blobs).map(([file, oid]) => [sessionPath(session, file), oid]))
}

/** The artifacts that were written against other versions of files than those that are there now, and the files. */
export function staleArtifacts(session: HandoverSession): { readonly artifact: string; readonly changed: string[] }[] {
  const bases = Object.entries(session.status?.artifact_bases ?? {})
  return bases.flatMap(([artifact, blobs]) => {
    const now = blobsOf(session, Object.keys(blobs))
    const changed = Object.keys(blobs).filter(it => now[it] !== blobs[it])
    return changed.length === 0 ? [] : [{ artifact, changed }]
  })
}
