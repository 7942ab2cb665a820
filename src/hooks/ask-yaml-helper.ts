import { join } from 'node:path'
import { type FailureCode, KotefError } from '../findings/failure.ts'
import { runSync } from '../io/process/run-sync.ts'
import type { HookContext } from './hook-context.ts'

/** Asks the YAML helper, a program beside this one, a question. Throws the failure that the helper reports. */
export function askYamlHelper<T>({ shared }: Pick<HookContext, 'shared'>, words: readonly string[], input = ''): T {
  const { status, stdout } = runSync(process.execPath, [join(shared, 'policy.cjs'), ...words], input)
  const answer = parseHelperAnswer(stdout)
  if (answer?.error) throw new KotefError(answer.error.code, answer.error.message, { hint: answer.error.hint })
  if (status === 0 && answer) return answer as T
  throw new KotefError('hooks-damaged', `${join(shared, 'policy.cjs')} ended with ${status ?? 'no answer'}.`)
}

type HelperAnswer = { readonly error?: { readonly code: FailureCode; readonly message: string; readonly hint: string } }

function parseHelperAnswer(stdout: string): HelperAnswer | null {
  try {
    return JSON.parse(stdout) as HelperAnswer
  } catch {
    return null
  }
}
