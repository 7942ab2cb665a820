import type { Verb } from '../verb.ts'

/** The verbs of sessions in which agents hand over to each other. */
export const handoverVerbs: readonly Verb[] = [
  {
    usage: 'handover check [session]',
    summary: 'check what agents leave for each other in .agents-work/: files, decisions, states, tasks',
    example: 'kotef handover check 2026-01-31_refunds --json',
    load: async () => ({ run: (await import('./check.ts')).checkHandovers }),
  },
]
