import { beginSession } from '../../../world/handover/operations.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { firstArgument, type RunVerb } from '../verb.ts'

/** `kotef handover new`: begins a session, with its status.json. */
export const beginHandover: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await beginSession(workspace, firstArgument(call), call.options['lean'] === true)
  return { text: `${session} begins: .agents-work/${session}/status.json`, json: { session } }
}
