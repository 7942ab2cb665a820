import { confirm, isCancel, multiselect, select, text } from '@clack/prompts'
import { KotefError } from '../../core/base/failure.ts'

// Ctrl-C and Escape are no answer: each function throws `aborted`, and the command ends.

/** Asks a yes-or-no question at the terminal; with `deliberate`, pressing Enter alone is a no. */
export async function askConfirmation(
  message: string,
  { deliberate = false }: { deliberate?: boolean } = {},
): Promise<boolean> {
  return answered(await confirm({ message, initialValue: !deliberate }))
}

/** Lets a person choose one of these at the terminal; pressing Enter alone chooses the first. */
export async function askOne(message: string, choices: readonly Choice[]): Promise<string> {
  return answered(await select({ message, options: [...choices], initialValue: choices[0]?.value ?? '' }))
}

/** A possible answer, and what it means. */
export type Choice = { readonly value: string; readonly hint: string }

/** Lets a person choose any of these at the terminal; pressing Enter alone chooses those that are selected. */
export async function askChoice(
  message: string,
  choices: readonly Choice[],
  selected: readonly string[],
): Promise<readonly string[]> {
  return answered(await multiselect({ message, options: [...choices], initialValues: [...selected], required: false }))
}

/** A text to begin with, and what is wrong with an answer; null when nothing is. */
export type TextQuestion = { readonly initial?: string; readonly flaw?: (text: string) => string | null }

/** Asks for a line of text at the terminal; pressing Enter alone gives the initial text, or an empty one. */
export async function askText(message: string, { initial = '', flaw = () => null }: TextQuestion): Promise<string> {
  const validate = (answer = '') => flaw(answer) ?? undefined
  return answered(await text({ message, initialValue: initial, defaultValue: '', validate }))
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new KotefError('aborted', 'Stopped.')
  return answer as Exclude<T, symbol>
}
