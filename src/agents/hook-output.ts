import type { HookOutput, Reply } from './adapter.ts'

/** A reply that has a text. */
export type ReplyWithText = Exclude<Reply, { kind: 'silence' }>

/** The output of a hook that prints nothing, and exits with 0. */
export const NO_OUTPUT: HookOutput = { stdout: '', stderr: '', exit: 0 }

/** The output of a hook that prints one JSON object on a line. */
export function jsonOutput(value: object): HookOutput {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '', exit: 0 }
}

/** The text of a reply, never empty in a denial: some agents ignore a denial without a reason. */
export function replyText({ kind, text }: ReplyWithText): string {
  return kind === 'context' || text.trim() !== '' ? text : 'kotef refuses this.'
}
