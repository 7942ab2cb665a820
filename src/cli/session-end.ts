import { printable } from '../report/printable.ts'
import { compile } from '../workspace/compile.ts'
import { judgeSoFar } from '../workspace/judge-so-far.ts'
import { endSessions } from '../workspace/sessions.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { sessionMeant } from './session-meant.ts'
import type { Run } from './verb.ts'

/** `kotef session end`: a session is over, and its claim is given back; the intent stays as it is. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { id } = await sessionMeant(workspace, call)
  await judgeSoFar(workspace)
  const ended = await endSessions(workspace, it => it.id === id)
  await compile(workspace)
  const lines = ended.map(it => `The session ${printable(it.id)} ended; ${it.intent} stays as it is.`)
  return { text: lines.join('\n'), json: { ended } }
}
