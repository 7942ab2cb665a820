import { startServer } from '../ui/start-server.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { parseWholeNumber, type RunVerb, textOption } from './verb.ts'

/** `kotef ui`: serves the pages of this worktree to the browser. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const port = textOption(call, 'port')
  const server = await startServer(workspace, port === null ? 0 : parseWholeNumber(port, '--port'))
  return { text: `kotef shows this worktree (pid ${server.pid}) at ${server.url}`, json: server }
}
