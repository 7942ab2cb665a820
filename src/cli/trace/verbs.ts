import { addRecordOptions } from './record-options.ts'
import type { Verb } from '../verb.ts'

/** The verbs of the ledger. */
export const traceVerbs: readonly Verb[] = [
  {
    usage: 'trace',
    summary: 'the records of the ledger, oldest first',
    example: 'kotef trace --intent INT-001 --since 2026-11-20',
    addOptions: command =>
      addRecordOptions(command)
        .option('--limit <n>', 'only the newest n')
        .option('--commit <revision>', 'instead: whom the lines are from that this commit added')
        .option('--follow', 'go on with new records as they come'),
    load: () => import('./trace.ts'),
  },
  {
    usage: 'trace verify',
    summary: 'is the ledger what was written, whole and without a gap',
    example: 'kotef trace verify',
    load: () => import('./verify.ts'),
  },
  {
    usage: 'trace validate <file>',
    summary: 'is a file of any tool Agent Trace 0.1.0, and if not, what is wrong where',
    example: 'kotef trace validate .agent-trace/traces.jsonl',
    load: () => import('./validate.ts'),
  },
  {
    usage: 'trace export',
    summary: 'what was written, by whom and for which intent, for other programs',
    example: 'kotef trace export --format csv --since 2026-11-01 > written.csv',
    addOptions: command => addRecordOptions(command).option('--format <format>', 'agent-trace or csv', 'agent-trace'),
    load: () => import('./export.ts'),
  },
]
