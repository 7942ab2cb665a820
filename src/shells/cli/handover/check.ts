import { checkSessionHere, sessionInQuestion, sessionNames } from '../../../world/handover/session-folder.ts'
import type { HandoverProblem } from '../../../core/handover/handover-problem.ts'
import { failedAcceptance } from '../../../world/handover/run-acceptance.ts'
import { printable } from '../../../core/base/printable.ts'
import { handoverLines } from '../../../core/handover/problem-lines.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { firstArgument, type RunVerb, type VerbCall } from '../verb.ts'

/** `kotef handover check`: checks one session of the handover, or all of them, against the contract. */
export const checkHandovers: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const named = firstArgument(call)
  const names = named === '' ? await sessionNames(workspace) : [await sessionInQuestion(workspace, named)]
  const sessions = []
  for (const session of names) sessions.push({ session, problems: await problemsOfSession(call, workspace, session) })
  const lines = sessions.length === 0 ? [NO_SESSIONS] : handoverLines(sessions)
  return { text: lines.join('\n'), json: { sessions }, exit: sessions.some(it => it.problems.length > 0) ? 1 : 0 }
}

// With --run-checks, what a session says of its checks is not taken for true.
async function problemsOfSession(call: VerbCall, workspace: Workspace, session: string): Promise<HandoverProblem[]> {
  const problems = await checkSessionHere(workspace, session)
  if (call.options['runChecks'] !== true) return problems
  const running = (command: string): void => call.notify(`$ ${printable(command)}`)
  return [...problems, ...(await failedAcceptance(workspace, session, { env: call.env, running }))]
}

const NO_SESSIONS = 'There is no session in .agents-work/; begin one with `kotef handover new <word>`'
