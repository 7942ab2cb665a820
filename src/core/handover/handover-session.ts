import { blobOid } from '../git/blob-oid.ts'
import { ACCEPTANCE_FILE, type AcceptanceFile, readAcceptance } from './acceptance-file.ts'
import { SESSIONS_FOLDER, TASKS_FILE } from './port.ts'
import { type ChangesRequest, HISTORY_FILE, readApprovalHistory, requestsChanges } from './approval-history.ts'
import { asFormatProblems, type HandoverProblem } from './handover-problem.ts'
import { DESIGN_GATE, readStatus, STATUS_FILE, type StatusFile, type UserDecision } from './status-file.ts'
import { readTasks, type TasksFile } from './tasks-file.ts'
import type { MainState, WorkflowMode, WorkflowState } from './workflow.ts'

/** The files of a session: its name, and the text of each file by its path below the session's folder. */
export type SessionFiles = { readonly name: string; readonly texts: ReadonlyMap<string, string> }

/** A session as read. A file that is absent or not valid is null. */
export type HandoverSession = SessionFiles & {
  readonly status: StatusFile | null
  readonly tasks: TasksFile | null
  readonly acceptance: AcceptanceFile | null
  readonly history: readonly ChangesRequest[]
  readonly mode: WorkflowMode
  /** The state without interruptions: where ASK_USER and BLOCKED return to; null when that is unknown. */
  readonly state: MainState | null
}

/** The files of a session that rules read. */
export const CONTRACT_FILES: readonly string[] = [
  ...[STATUS_FILE, TASKS_FILE, ACCEPTANCE_FILE, HISTORY_FILE],
  ...['spec.md', 'architecture.md', 'report.md'],
]

/** Reads a session's files, with all problems of their form. Never throws. */
export function readHandoverSession({ name, texts }: SessionFiles): {
  readonly session: HandoverSession
  readonly problems: readonly HandoverProblem[]
} {
  const path = (file: string): string => sessionPath(name, file)
  const status = ifPresent(texts.get(STATUS_FILE), it => readStatus(path(STATUS_FILE), it))
  const tasks = ifPresent(texts.get(TASKS_FILE), it => readTasks(path(TASKS_FILE), it))
  const acceptance = ifPresent(texts.get(ACCEPTANCE_FILE), it => readAcceptance(path(ACCEPTANCE_FILE), it))
  const history = readApprovalHistory(path(HISTORY_FILE), texts.get(HISTORY_FILE) ?? '')
  const problems = [status, tasks, acceptance, history].flatMap(it => it?.problems ?? [])
  const session = {
    name,
    texts,
    status: status?.value ?? null,
    tasks: tasks?.value ?? null,
    acceptance: acceptance?.value ?? null,
    history: history.value,
    mode: modeOf(status?.value ?? null),
    state: mainStateOf(status?.value ?? null),
  }
  return { session, problems: asFormatProblems(problems) }
}

/** The path of a session's file in the repository. */
export function sessionPath(session: string, file: string): string {
  return `${SESSIONS_FOLDER}/${session}/${file}`
}

/** A decision of a session; null when it was never asked for. */
export function findDecision({ status }: Pick<HandoverSession, 'status'>, id: string): UserDecision | null {
  return status?.user_decisions.find(it => it.decision_id === id) ?? null
}

/** The files on which an approval of the design depends, with the blobs that they have now. */
export function designBlobs({ texts }: Pick<SessionFiles, 'texts'>): Record<string, string> {
  return blobsOf({ texts }, ['spec.md', ACCEPTANCE_FILE, 'architecture.md'])
}

/** The blobs of some files of a session; those that are absent are not in it. */
export function blobsOf({ texts }: Pick<SessionFiles, 'texts'>, files: readonly string[]): Record<string, string> {
  const present = files.flatMap(file => {
    const text = texts.get(file)
    return text === undefined ? [] : [[file, blobOid(Buffer.from(text))] as const]
  })
  return Object.fromEntries(present)
}

/** How the user answered the question about the design, as the workflow takes it. */
export function designVerdict(session: HandoverSession): 'approved' | 'void' | 'changes-requested' | 'open' {
  const gate = findDecision(session, DESIGN_GATE)
  if (gate?.status !== 'answered' || gate.answer === null) return 'open'
  if (requestsChanges(gate.answer)) return 'changes-requested'
  if (!isApproval(gate.answer)) return 'open'
  const now = designBlobs(session)
  return Object.entries(gate.approved ?? {}).every(([file, oid]) => now[file] === oid) ? 'approved' : 'void'
}

/** True for an answer that approves a design. */
export function isApproval(answer: string): boolean {
  return /^approved(?![\w-])/.test(answer)
}

function ifPresent<T>(text: string | undefined, read: (text: string) => T): T | null {
  return text === undefined ? null : read(text)
}

function modeOf(status: StatusFile | null): WorkflowMode {
  return status?.mode ?? (status?.current_state === 'INTAKE_LEAN' ? 'lean' : 'full')
}

function mainStateOf(status: StatusFile | null): MainState | null {
  if (status === null) return null
  const { current_state, user_decisions, blocked_from = null } = status
  if (current_state === 'BLOCKED') return asMainState(blocked_from)
  if (current_state !== 'ASK_USER') return asMainState(current_state)
  const asked = user_decisions.filter(it => it.status === 'pending')
  return asMainState((asked.at(-1) ?? lastAsked(user_decisions))?.state_context ?? null)
}

function lastAsked(decisions: readonly UserDecision[]): UserDecision | undefined {
  return [...decisions].sort((a, b) => Date.parse(a.asked_at) - Date.parse(b.asked_at)).at(-1)
}

function asMainState(state: WorkflowState | null): MainState | null {
  return state === 'ASK_USER' || state === 'BLOCKED' ? null : state
}
