import { confirm, isCancel, multiselect } from '@clack/prompts'

/** Asks a yes-or-no question at the terminal; an aborted one is a no, and so is Enter alone when it must be meant. */
export async function askConfirmation(
  message: string,
  { deliberate = false }: { deliberate?: boolean } = {},
): Promise<boolean> {
  const answer = await confirm({ message, initialValue: !deliberate })
  return !isCancel(answer) && answer
}

/** Lets a person choose at the terminal, all to begin with; an aborted question is none. */
export async function askChoice(message: string, among: readonly string[]): Promise<readonly string[]> {
  const options = among.map(value => ({ value }))
  const answer = await multiselect({ message, options, initialValues: [...among], required: false })
  return isCancel(answer) ? [] : answer
}
