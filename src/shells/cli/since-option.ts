import type { Git } from '../../world/io/git/git.ts'
import { KotefError } from '../../core/base/failure.ts'
import { textOption, type VerbCall } from './verb.ts'

/** The time of `--since` in milliseconds since 1970, or null: ISO 8601, or what git takes, such as `2 hours ago`. */
export async function sinceOption(git: Pick<Git, 'ask'>, call: Pick<VerbCall, 'options'>): Promise<number | null> {
  const text = textOption(call, 'since')
  if (text === null) return null
  // A date alone is local midnight, as all times that kotef shows are local.
  const exact = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text)
  if (/^\d{4}-/.test(text) && !Number.isNaN(exact)) return exact
  const seconds = await git.ask({ args: ['rev-parse', `--since=${text}`], parse: out => Number(out.split('=')[1]) })
  // Git reads a text without a time as now.
  const isNow = Math.abs(Date.now() / 1000 - seconds) < 2 && !/\bnow\b/.test(text)
  if (!Number.isNaN(seconds) && !isNow && text.trim() !== '') return seconds * 1000
  throw new KotefError('usage', `--since takes a time such as 2026-11-20, yesterday or '2 hours ago', not ${text}`)
}
