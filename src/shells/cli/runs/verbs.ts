import type { Verb } from '../verb.ts'

/** The verbs of agents' runs. */
export const runVerbs: readonly Verb[] = [
  {
    usage: 'runs list',
    summary: "list the runs of agents' sessions in this worktree: which go on, and how the others ended",
    example: 'kotef runs list --json',
    load: async () => ({ run: (await import('./runs.ts')).listAllRuns }),
  },
  {
    usage: 'runs show [session]',
    summary:
      'show a run, by default the latest: its status, counters, checks and files; exits with 4 when it was stopped',
    example: 'kotef runs show 451e4a5f',
    load: async () => ({ run: (await import('./runs.ts')).showRun }),
  },
]
