import type { Verb } from './verb.ts'

/** Every verb, in the order of `kotef help`. */
export const verbs: readonly Verb[] = [
  {
    usage: 'watch',
    summary: 'record every write in this worktree, until Ctrl-C; the same as kotef-watch',
    example: 'npx kotef-watch',
    shape: command =>
      command
        .option('--detach', 'run in the background; returns when it is ready')
        .option('--stop', 'stop the one in the background')
        .option('--quiet', 'print problems only'),
    load: () => import('../daemon/watch.ts'),
  },
  {
    usage: 'status',
    summary: 'intent, session, daemon, ledger, and what is wrong with the tree',
    example: 'kotef status --json',
    load: () => import('./status.ts'),
  },
  {
    usage: 'trace',
    summary: 'the records of the ledger, oldest first',
    example: 'kotef trace --intent INT-001 --since 2026-11-20',
    shape: command =>
      command
        .option('--intent <id>', 'only of this intent')
        .option('--file <path>', 'only of this file')
        .option('--session <id>', 'only of this session')
        .option('--since <time>', 'only from this time on (ISO 8601)')
        .option('--limit <n>', 'only the newest n')
        .option('--follow', 'go on with new records as they come'),
    load: () => import('./trace.ts'),
  },
  {
    usage: 'trace verify',
    summary: 'is the ledger what was written, whole and without a gap',
    example: 'kotef trace verify',
    load: () => import('./trace-verify.ts'),
  },
  {
    usage: 'flush',
    summary: 'return when everything written before the call is in the ledger',
    example: 'kotef flush --timeout 5000',
    shape: command => command.option('--timeout <ms>', 'give up after this many milliseconds', '10000'),
    load: () => import('./flush.ts'),
  },
]
