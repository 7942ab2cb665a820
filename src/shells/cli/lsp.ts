import { serveLsp } from '../lsp/serve-lsp.ts'
import { requirePerson } from './person.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import type { RunVerb } from './verb.ts'

/** `kotef lsp`: serves the Language Server Protocol on stdin and stdout until the client ends it. */
export const run: RunVerb = async ({ cwd, env, onStarted }) => {
  const { openConnection } = await import('../lsp/lsp-connection.ts')
  const client = openConnection()
  const refuseAgent = async (workspace: Workspace, what: string) => {
    await requirePerson({ env }, workspace, { what })
  }
  serveLsp({ cwd, requirePerson: refuseAgent }, client)
  onStarted()
  // The connection ends the process.
  return new Promise(() => {})
}
