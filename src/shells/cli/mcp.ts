import { randomUUID } from 'node:crypto'
import { processAncestors } from '../../world/io/process/processes.ts'
import type { Host } from '../mcp/host.ts'
import { serveMcp } from '../mcp/server.ts'
import { turnQueue } from '../mcp/turn-queue.ts'
import { endAgentSession } from '../../world/lifecycle/agent-session.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import type { RunVerb, VerbCall } from './verb.ts'

/** `kotef mcp`: serves the Model Context Protocol on stdin and stdout until the client closes stdin. */
export const run: RunVerb = async call => {
  const session = openMcpSession(call)
  await new Promise<void>(resolve => {
    process.stdin.once('close', resolve)
    serveMcp(session.host)
  })
  await session.end()
  return null
}

const STDIN = { pause: () => void process.stdin.pause(), resume: () => void process.stdin.resume() }

/** What one server runs with, and how its session ends. An agent passes the session of its hooks in KOTEF_SESSION. */
export function openMcpSession({ cwd, env }: Pick<VerbCall, 'cwd' | 'env'>): { host: Host; end: () => Promise<void> } {
  const inherited = env['KOTEF_SESSION'] || null
  const session = inherited ?? randomUUID()
  const open = () => openWorkspace(cwd)
  const identity = { session, pid: inherited === null ? process.pid : null, agent: null, model: null }
  // Read at once: the parent can end before this process does, and its own ancestors are unknown then.
  const ancestry = inherited === null ? { pids: processAncestors(), allowUnrelated: true } : null
  return {
    host: { open, identity, ancestry, proposalsShown: new Map(), gateAsks: new Map(), turns: turnQueue(STDIN) },
    // The session of an agent with hooks ends when its hook says so.
    end: () => (inherited === null ? endServerSession(open, session) : Promise.resolve()),
  }
}

// The client is gone, so a failure can't be reported. Another session can take over the claim of an ended process.
async function endServerSession(open: () => Promise<Workspace>, session: string): Promise<void> {
  await open()
    .then(it => endAgentSession(it, session))
    .catch(() => {})
}
