import { randomUUID } from 'node:crypto'
import { processAncestors } from '../io/process/ancestors.ts'
import type { Host } from '../mcp/host.ts'
import { serveMcp } from '../mcp/server.ts'
import { endAgentSession } from '../intent-lifecycle/end-agent-session.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import type { RunVerb, VerbCall } from './verb.ts'

/** `kotef mcp`: the handshake as tools of the Model Context Protocol, until the client goes. */
export const run: RunVerb = async call => {
  const session = openMcpSession(call)
  await new Promise<void>(resolve => {
    process.stdin.once('close', resolve)
    serveMcp(session.host)
  })
  await session.end()
  return null
}

/** What one client's server runs with, and how its session ends. `KOTEF_SESSION` names a session of an agent's hooks. */
export function openMcpSession({ cwd, env }: Pick<VerbCall, 'cwd' | 'env'>): { host: Host; end: () => Promise<void> } {
  const given = env['KOTEF_SESSION'] || null
  const session = given ?? randomUUID()
  const open = () => openWorkspace(cwd)
  const identity = { session, pid: given === null ? process.pid : null, agent: null, model: null }
  // Read at once: the parent can end before this process does, and its own ancestors are unknown then.
  const ancestry = given === null ? { pids: processAncestors(), allowUnrelated: true } : null
  return {
    host: { open, identity, ancestry, proposalsShown: new Map() },
    // The session of an agent with hooks ends when its hook says so.
    end: () => (given === null ? endServerSession(open, session) : Promise.resolve()),
  }
}

// No client is left to read of a failure, and the claim of a process that has ended can be taken over.
async function endServerSession(open: () => Promise<Workspace>, session: string): Promise<void> {
  await open()
    .then(it => endAgentSession(it, session))
    .catch(() => {})
}
