import type { Outcome, Reply } from './adapter.ts'

/** A reply that says something. */
export type Words = Exclude<Reply, { kind: 'silence' }>

/** A hook that has nothing to say. */
export const SILENT: Outcome = { stdout: '', stderr: '', exit: 0 }

/** A hook that answers with one object of JSON, on a line. */
export function answer(value: object): Outcome {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 }
}

/** What is said. A denial without a reason would be none to some agents. */
export function textOf({ kind, text }: Words): string {
  return kind === 'context' || text.trim() !== '' ? text : 'kotef refuses this.'
}
