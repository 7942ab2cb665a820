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
  {
    usage: 'classify [what...]',
    summary: 'say of each changed file whether it is layout, a refactoring, or an evolution; by default since HEAD',
    example: 'kotef classify origin/main..HEAD',
    addOptions: command =>
      command
        .option('--staged', 'what the index changes')
        .option('--jsonl', 'a JSON line for each {"path", "before", "after"} line of stdin'),
    load: () => import('./classify.ts'),
  },
  {
    usage: 'map [intent]',
    summary: 'show the files and declarations of each intent at HEAD; of all, update .orchestration/intent_map.md',
    example: 'kotef map INT-001',
    addOptions: command => command.option('--write', 'update the file, as without an intent'),
    load: () => import('./map.ts'),
  },
  {
    usage: 'where <words...>',
    summary: 'find the intents, declarations, files and lessons that some words are about',
    example: 'kotef where "billing logic"',
    addOptions: command => command.option('--limit <n>', 'at most this many', '20'),
    load: () => import('./where.ts'),
  },
]
