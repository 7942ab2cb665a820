import type { Verb } from '../verb.ts'

/** The verbs that send what kotef knows to another program. */
export const exportVerbs: readonly Verb[] = [
  {
    usage: 'export otlp',
    summary: 'send the ledger to a receiver of OpenTelemetry: logs, sessions and runs as spans, counters',
    example: 'kotef export otlp --endpoint http://localhost:4318 --follow',
    addOptions: command =>
      command
        .option('--endpoint <url>', 'of OTLP over HTTP, without /v1/…; by default OTEL_EXPORTER_OTLP_ENDPOINT')
        .option('--follow', 'continue with new records until Ctrl-C')
        .option('--since <time>', 'the first time, only from this time on: a date, or as for git log')
        .option('--no-paths', 'send no path of a file'),
    load: () => import('./export-otlp.ts'),
  },
]
