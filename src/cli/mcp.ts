import { randomUUID } from 'node:crypto'
import { ancestors } from '../io/ancestors.ts'
import { serve } from '../mcp/server.ts'
import { endHooked } from '../workspace/end-hooked.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import type { Run } from './verb.ts'

/** `kotef mcp`: the handshake as tools of the Model Context Protocol, until the client goes. */
export const run: Run = async ({ cwd, env }) => {
  const given = env['KOTEF_SESSION'] || null
  const session = given ?? randomUUID()
  const open = () => openWorkspace(cwd)
  const voice = { session, pid: given === null ? process.pid : null, agent: null, model: null }
  // Asked at once: a parent that goes before its child is forgotten.
  const kin = given === null ? { pids: ancestors(), strangers: true } : null
  await new Promise<void>(resolve => {
    process.stdin.once('close', resolve)
    serve({ open, voice, kin, shown: new Map() })
  })
  // The session of an agent with hooks is over when its hook says so.
  if (given === null) await giveBack(open, session)
  return null
}

// Nobody is left to be told of a failure, and the claim of a process that is gone can be taken over.
async function giveBack(open: () => Promise<Workspace>, session: string): Promise<void> {
  await open()
    .then(it => endHooked(it, session))
    .catch(() => {})
}
