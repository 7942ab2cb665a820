import { addRecordOptions } from './record-options.ts'
import type { Verb } from '../verb.ts'

/** The verbs of the ledger. */
export const traceVerbs: readonly Verb[] = [
  {
    usage: 'trace',
    summary: 'list the records of the ledger, oldest first',
    example: 'kotef trace --intent INT-001 --since 2026-11-20',
    addOptions: command =>
      addRecordOptions(command)
        .option('--limit <n>', 'only the newest n')
        .option('--commit <revision>', 'instead, the authors of the lines that this commit added')
        .option('--follow', 'continue with new records as they are written'),
    load: () => import('./trace.ts'),
  },
  {
    usage: 'trace verify',
    summary: 'check that no record of the ledger was changed, removed or inserted',
    example: 'kotef trace verify',
    load: () => import('./verify.ts'),
  },
  {
    usage: 'trace close',
    summary: 'set a damaged ledger aside, and begin a new one',
    example: "kotef trace close --reason 'git clean deleted it'",
    addOptions: command => command.option('--reason <text>', 'why; the new ledger begins with it'),
    load: () => import('./close.ts'),
  },
  {
    usage: 'trace validate <file>',
    summary: 'check whether a file, made by any tool, is Agent Trace 0.1.0',
    example: 'kotef trace validate .agent-trace/traces.jsonl',
    load: () => import('./validate.ts'),
  },
  {
    usage: 'trace export',
    summary: 'print the write records for other programs',
    example: 'kotef trace export --format csv --since 2026-11-01 > written.csv',
    addOptions: command => addRecordOptions(command).option('--format <format>', 'agent-trace or csv', 'agent-trace'),
    load: () => import('./export.ts'),
  },
]
