import { type HandoverAgent, sessionOfPath } from './agents.ts'
import { blobsOf, CONTRACT_FILES, type HandoverSession, sessionPath } from './handover-session.ts'
import type { OutputMessage } from './output-message.ts'
import { refusedEdit, type SessionEdit, statusOf, statusFileText } from './session-edit.ts'
import { STATUS_FILE } from './status-file.ts'

/** An answer that an agent submits for a task. */
export type Submission = {
  readonly agent: HandoverAgent
  /** T-001, or meta for one that is about the session. */
  readonly task: string
  readonly message: OutputMessage
}

/** The file in which the answer of an agent is kept, in the session's folder. */
export function answerFile(task: string, agent: HandoverAgent): string {
  return `messages/${task}.${agent}.json`
}

/** Keeps an answer, with the blobs of the files that it was written against; an artifact of it names them too. */
export function submitAnswer(session: HandoverSession, { agent, task, message }: Submission, now: string): SessionEdit {
  const status = statusOf(session)
  const isKnown = task === 'meta' || session.tasks?.tasks.some(it => it.id === task)
  if (!isKnown) throw refusedEdit(`${session.name} has no task ${task}.`, 'Name one: `--task T-001`, or `--task meta`')
  const changed = message.artifacts.files_changed ?? message.artifacts.files_to_create_or_update ?? []
  const own = changed.flatMap(it => artifactOf(it, session.name))
  const read = CONTRACT_FILES.filter(it => it !== STATUS_FILE && !own.includes(it))
  const based = message.artifacts.based_on ?? withPaths(session.name, blobsOf(session, read))
  const bases = own.map(it => [it, blobsOf(session, read)] as const)
  const artifact_bases = { ...status.artifact_bases, ...Object.fromEntries(bases) }
  const kept = { agent, task, at: now, ...message, artifacts: { ...message.artifacts, based_on: based } }
  const text = `${JSON.stringify(kept, null, 2)}\n`
  return {
    files: { [answerFile(task, agent)]: text, [STATUS_FILE]: statusFileText({ ...status, artifact_bases }, now) },
  }
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
