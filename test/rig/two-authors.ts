// An agent and a person who write in turns, under a daemon or without one.

import { flushDaemon } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { startIntent } from '../../src/world/lifecycle/start-intent.ts'
import { saveSession } from '../../src/world/intents/sessions/session-store.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'

export type Author = 'agent' | 'person'

/** An agent and a person, one of whom has a session on INT-001. */
export type TwoAuthors = {
  /** Ends the session of the other one, when everything that was written before is recorded. */
  goOn(author: Author): Promise<void>
}

/** Begins with the agent's session. */
export async function twoAuthors(workspace: Workspace): Promise<TwoAuthors> {
  const { session: person } = await startIntent(workspace, { intent: 'INT-001', agent: null, model: null })
  const { session: agent } = await startIntent(workspace, { intent: 'INT-001', agent: 'aider', model: 'acme/robot-1' })
  const sessions = { agent, person }
  let current: Author = 'agent'
  return {
    async goOn(author) {
      if (author === current) return
      await flushDaemon(workspace, 30_000)
      // `kotef intent start` takes twenty times as long, and its sessions are all that is needed of it here.
      const at = new Date().toISOString()
      await saveSession(workspace, { ...sessions[current], endedAt: at })
      await saveSession(workspace, { ...sessions[author], heartbeatAt: at })
      current = author
    },
  }
}
