import type { Verb } from '../verb.ts'

/** The verbs of sessions. */
export const sessionVerbs: readonly Verb[] = [
  {
    usage: 'session list',
    summary: 'list the sessions of this worktree, and the claims of all worktrees',
    example: 'kotef session list --json',
    load: async () => ({ run: (await import('./sessions.ts')).listSessions }),
  },
  {
    usage: 'session show [session]',
    summary: 'show a session: its intent, its claim, and what was committed since it started',
    example: 'kotef session show',
    load: async () => ({ run: (await import('./sessions.ts')).showSession }),
  },
  {
    usage: 'session end [session]',
    summary: 'end a session and release its claim; the beginning of its id is enough',
    example: 'kotef session end 451e4a5f',
    addOptions: command => command.option('--all', 'end every session of this worktree'),
    load: async () => ({ run: (await import('./sessions.ts')).endSession }),
  },
]
