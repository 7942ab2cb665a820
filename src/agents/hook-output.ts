import type { HookOutput, Reply } from './adapter.ts'

/** A reply that says something. */
export type ReplyWithText = Exclude<Reply, { kind: 'silence' }>

/** A hook that has nothing to say. */
export const NO_OUTPUT: HookOutput = { stdout: '', stderr: '', exit: 0 }

/** A hook that answers with one object of JSON, on a line. */
export function jsonOutput(value: object): HookOutput {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 }
}

/** What is said. A denial without a reason would be none to some agents. */
export function replyText({ kind, text }: ReplyWithText): string {
  return kind === 'context' || text.trim() !== '' ? text : 'kotef refuses this.'
}
