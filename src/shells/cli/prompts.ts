import { confirm, isCancel, multiselect, select } from '@clack/prompts'

/** Asks a yes-or-no question at the terminal. Aborting it is a no; with `deliberate`, so is pressing Enter alone. */
export async function askConfirmation(
  message: string,
  { deliberate = false }: { deliberate?: boolean } = {},
): Promise<boolean> {
  const answer = await confirm({ message, initialValue: !deliberate })
  return !isCancel(answer) && answer
}

/** Lets a person choose one of these at the terminal; aborting it chooses the first. */
export async function askOne(message: string, choices: readonly Choice[]): Promise<string> {
  const answer = await select({ message, options: [...choices], initialValue: choices[0]?.value ?? '' })
  return isCancel(answer) ? (choices[0]?.value ?? '') : answer
}

/** A possible answer, and what it means. */
export type Choice = { readonly value: string; readonly hint: string }

/** Lets a person choose some of these at the terminal; all are selected at first. Aborting it chooses none. */
export async function askChoice(message: string, choices: readonly string[]): Promise<readonly string[]> {
  const options = choices.map(value => ({ value }))
  const answer = await multiselect({ message, options, initialValues: [...choices], required: false })
  return isCancel(answer) ? [] : answer
}
