import { checkSessionHere, sessionInQuestion, sessionNames } from '../../handover-sessions/session-folder.ts'
import { handoverLines } from '../../report/handover-lines.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { firstArgument, type RunVerb } from '../verb.ts'

/** `kotef handover check`: checks one session of the handover, or all of them, against the contract. */
export const checkHandovers: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const named = firstArgument(call)
  const names = named === '' ? await sessionNames(workspace) : [await sessionInQuestion(workspace, named)]
  const sessions = []
  for (const session of names) sessions.push({ session, problems: await checkSessionHere(workspace, session) })
  const lines = sessions.length === 0 ? [NO_SESSIONS] : handoverLines(sessions)
  return { text: lines.join('\n'), json: { sessions }, exit: sessions.some(it => it.problems.length > 0) ? 1 : 0 }
}

const NO_SESSIONS = 'There is no session in .agents-work/; begin one with `kotef handover new <word>`'
