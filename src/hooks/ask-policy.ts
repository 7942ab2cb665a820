import { join } from 'node:path'
import { type FailureCode, KotefError } from '../report/failure.ts'
import { finishedNow } from './finished-now.ts'
import type { Place } from './place.ts'

/** Asks the program beside this one for what takes YAML to answer. Its failure is ours. */
export function askPolicy<T>({ shared }: Pick<Place, 'shared'>, words: readonly string[], input = ''): T {
  const { status, stdout } = finishedNow(process.execPath, [join(shared, 'policy.cjs'), ...words], input)
  const answer = answerIn(stdout)
  if (answer?.error) throw new KotefError(answer.error.code, answer.error.message, { hint: answer.error.hint })
  if (status === 0 && answer) return answer as T
  throw new KotefError('hooks-damaged', `${join(shared, 'policy.cjs')} ended with ${status ?? 'no answer'}.`)
}

type Answer = { readonly error?: { readonly code: FailureCode; readonly message: string; readonly hint: string } }

function answerIn(stdout: string): Answer | null {
  try {
    return JSON.parse(stdout) as Answer
  } catch {
    return null
  }
}
