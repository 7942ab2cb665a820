import { ACCEPTANCE_FILE, verificationsOf } from '../../core/handover/acceptance-file.ts'
import { sessionOfPath, SESSIONS_FOLDER } from '../../core/handover/port.ts'
import { STATUS_FILE } from '../../core/handover/status-file.ts'
import { type HandoverProblem, problemsOf } from '../../core/handover/handover-problem.ts'
import { type HandoverSession, sessionPath } from '../../core/handover/handover-session.ts'
import { runChecks, type TreeCheck } from '../checks/run-checks.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readSessionHere } from './session-folder.ts'

/** A command of a criterion of a session. */
export type AcceptanceCommand = { readonly session: string; readonly criterion: string; readonly cmd: string }

/** The commands of the sessions that are over in the worktree, among those whose status is at one of some paths. */
export async function acceptanceOfOver(workspace: Workspace, paths: readonly string[]): Promise<AcceptanceCommand[]> {
  const places = paths.map(sessionOfPath)
  const names = new Set(places.flatMap(it => (it?.file === STATUS_FILE ? [it.session] : [])))
  const all = await Promise.all([...names].map(it => readSessionHere(workspace, it)))
  return all
    .filter(it => it.status?.current_state === 'DONE')
    .flatMap(({ name, acceptance }) =>
      (acceptance?.acceptance_criteria ?? []).flatMap(it =>
        verificationsOf(it).commands.map(cmd => ({ session: name, criterion: it.id, cmd })),
      ),
    )
}

/** How acceptance checks are run. */
export type AcceptanceRun = { readonly env: NodeJS.ProcessEnv; readonly running: (command: string) => void }

/** Runs the commands of a session's acceptance criteria; returns a function that notes their results in a session. */
export async function withAcceptance(
  workspace: Workspace,
  name: string,
  run: AcceptanceRun,
): Promise<(session: HandoverSession) => HandoverSession> {
  const results = await acceptanceResults(workspace, name, run)
  return session => {
    const { status } = session
    return status === null ? session : { ...session, status: { ...status, acceptance_results: results } }
  }
}

type AcceptanceResults = Record<string, { status: 'passed' | 'failed'; tree: string }>

async function acceptanceResults(workspace: Workspace, name: string, run: AcceptanceRun): Promise<AcceptanceResults> {
  const { acceptance } = await readSessionHere(workspace, name)
  const results: AcceptanceResults = {}
  for (const criterion of acceptance?.acceptance_criteria ?? []) {
    const { commands } = verificationsOf(criterion)
    if (commands.length > 0) results[criterion.id] = await resultOf(workspace, commands, { ...run, name })
  }
  return results
}

/** The criteria of a session whose commands do not pass on the files as they are, as problems. */
export async function failedAcceptance(
  workspace: Workspace,
  name: string,
  run: AcceptanceRun,
): Promise<HandoverProblem[]> {
  const results = await acceptanceResults(workspace, name, run)
  const failed = Object.entries(results).filter(([, it]) => it.status === 'failed')
  const at = problemsOf(sessionPath(name, ACCEPTANCE_FILE))
  const found = { expected: 'commands that pass on these files', found: 'a failure' }
  return failed.map(([id]) => at('handover-done', `acceptance_criteria/${id}`, found))
}

// What a session writes about itself does not decide whether the product is accepted.
const WITHOUT_SESSIONS = ['**', `!${SESSIONS_FOLDER}/**`]

async function resultOf(
  workspace: Workspace,
  commands: readonly string[],
  { name, ...run }: AcceptanceRun & { readonly name: string },
): Promise<{ status: 'passed' | 'failed'; tree: string }> {
  const checks = commands.map(cmd => ({ cmd, inputs: WITHOUT_SESSIONS }))
  const ended: TreeCheck[] = []
  for await (const it of runChecks(workspace, checks, { intent: name, passesSince: 0, ...run })) ended.push(it)
  return { status: ended.every(it => it.status === 'passed') ? 'passed' : 'failed', tree: ended.at(-1)?.tree ?? '' }
}
