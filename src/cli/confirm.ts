import { confirm, isCancel } from '@clack/prompts'

/** Asks a yes-or-no question at the terminal; an aborted one is a no. */
export async function confirmed(message: string): Promise<boolean> {
  const answer = await confirm({ message })
  return !isCancel(answer) && answer
}
