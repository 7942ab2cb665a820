import { randomUUID } from 'node:crypto'
import { processAncestors } from '../io/process/ancestors.ts'
import { serveMcp } from '../mcp/server.ts'
import { endAgentSession } from '../intent-lifecycle/end-agent-session.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import type { RunVerb } from './verb.ts'

/** `kotef mcp`: the handshake as tools of the Model Context Protocol, until the client goes. */
export const run: RunVerb = async ({ cwd, env }) => {
  const given = env['KOTEF_SESSION'] || null
  const session = given ?? randomUUID()
  const open = () => openWorkspace(cwd)
  const identity = { session, pid: given === null ? process.pid : null, agent: null, model: null }
  // Asked at once: a parent that goes before its child is forgotten.
  const ancestry = given === null ? { pids: processAncestors(), allowUnrelated: true } : null
  await new Promise<void>(resolve => {
    process.stdin.once('close', resolve)
    serveMcp({ open, identity, ancestry, proposalsShown: new Map() })
  })
  // The session of an agent with hooks is over when its hook says so.
  if (given === null) await endServerSession(open, session)
  return null
}

// Nobody is left to be told of a failure, and the claim of a process that is gone can be taken over.
async function endServerSession(open: () => Promise<Workspace>, session: string): Promise<void> {
  await open()
    .then(it => endAgentSession(it, session))
    .catch(() => {})
}
