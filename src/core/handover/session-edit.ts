import { KotefError } from '../base/failure.ts'
import type { HandoverSession } from './handover-session.ts'
import { STATUS_FILE, type StatusFile } from './status-file.ts'

/** What an edit of a session writes. */
export type SessionEdit = {
  /** The texts of files, by their names in the session's folder. */
  readonly files: Readonly<Record<string, string>>
  /** A line to append to the history of approvals, before anything else is written. */
  readonly history?: string
}

/** An edit that the contract does not allow. */
export function refusedEdit(message: string, hint?: string): KotefError {
  return new KotefError('handover-refused', message, hint === undefined ? {} : { hint })
}

/** An edit for which the session is not ready: a gate is not met. */
export function unmetGate(message: string, hint?: string): KotefError {
  return new KotefError('handover-unmet', message, hint === undefined ? {} : { hint })
}

/** The status of a session that can be edited. */
export function statusOf({ status, name }: Pick<HandoverSession, 'status' | 'name'>): StatusFile {
  if (status) return status
  throw refusedEdit(`status.json of ${name} is not valid.`, `See why: \`kotef handover check ${name}\``)
}

/** A status as the text of its file, with the time of the edit. */
export function statusFileText(status: StatusFile, now: string): string {
  return `${JSON.stringify({ ...status, last_update: now }, null, 2)}\n`
}

/** An edit of nothing but the status. */
export function statusEdit(status: StatusFile, now: string): SessionEdit {
  return { files: { [STATUS_FILE]: statusFileText(status, now) } }
}
