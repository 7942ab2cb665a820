import { confirm, isCancel } from '@clack/prompts'

/** Asks a yes-or-no question at the terminal; an aborted one is a no, and so is Enter alone when it must be meant. */
export async function confirmed(
  message: string,
  { deliberate = false }: { deliberate?: boolean } = {},
): Promise<boolean> {
  const answer = await confirm({ message, initialValue: !deliberate })
  return !isCancel(answer) && answer
}
