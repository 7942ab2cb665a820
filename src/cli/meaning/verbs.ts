import type { Verb } from '../verb.ts'

/** The verbs about what code means. */
export const meaningVerbs: readonly Verb[] = [
  {
    usage: 'declarations [files...]',
    summary: 'list the functions, classes, methods, types and constants of files, with their lines',
    example: 'kotef declarations src/pay/refund.ts',
    addOptions: command =>
      command.option('--jsonl', 'a JSON array for each file; without files, for each {"path", "text"} line of stdin'),
    load: () => import('./declarations.ts'),
  },
]
