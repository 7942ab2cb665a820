import type { Verb } from '../verb.ts'

/** The verbs of sessions. */
export const sessionVerbs: readonly Verb[] = [
  {
    usage: 'session list',
    summary: 'who works in this worktree, and who holds which intent in all worktrees',
    example: 'kotef session list --json',
    load: () => import('./list.ts'),
  },
  {
    usage: 'session show [session]',
    summary: 'one session: its intent, its claim, and what was committed since it began',
    example: 'kotef session show',
    load: () => import('./show.ts'),
  },
  {
    usage: 'session end [session]',
    summary: 'end a session and give its claim back; the intent stays as it is',
    example: 'kotef session end',
    load: () => import('./end.ts'),
  },
]
