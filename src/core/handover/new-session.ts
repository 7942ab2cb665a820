import { refusedEdit } from './session-edit.ts'
import { SESSION_NAME, type StatusFile } from './status-file.ts'

/** The name of a session that begins at a moment (ISO 8601). */
export function newSessionName(word: string, now: string): string {
  const name = `${now.slice(0, 10)}_${word}`
  if (SESSION_NAME.test(name)) return name
  throw refusedEdit(`${word} is not a name for a session.`, 'Use small letters, digits and hyphens, such as refunds-2.')
}

/** The status of a session that begins. */
export function newStatus(
  session: string,
  { lean, baseCommit, now }: { readonly lean: boolean; readonly baseCommit: string | null; readonly now: string },
): StatusFile {
  return {
    current_state: lean ? 'INTAKE_LEAN' : 'INTAKE',
    session,
    mode: lean ? 'lean' : 'full',
    assumptions: [],
    user_decisions: [],
    retry_counts: {},
    known_issues: [],
    last_ci_result: 'unknown',
    last_update: now,
    base_commit: baseCommit,
  }
}
