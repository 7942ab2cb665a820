import { serveLsp } from '../lsp/serve-lsp.ts'
import { requirePerson } from './setup/approve.ts'
import type { RunVerb } from './verb.ts'

/** `kotef lsp`: serves the Language Server Protocol on stdin and stdout until the client ends it. */
export const run: RunVerb = async ({ cwd, env, onStarted }) => {
  const { openConnection } = await import('../lsp/lsp-connection.ts')
  const client = openConnection()
  serveLsp({ cwd, requirePerson: (workspace, what) => requirePerson({ env }, workspace, what) }, client)
  onStarted()
  // The connection ends the process.
  return new Promise(() => {})
}
