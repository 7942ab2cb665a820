import { KotefError } from '../../core/base/failure.ts'
import type { Git } from '../../world/io/git/git.ts'
import { printable } from '../../core/base/printable.ts'
import { firstArgument, type VerbCall } from './verb.ts'

/** The commit or range that a call names, as git takes them; null without one. */
export async function rangeOption(git: Git, call: VerbCall): Promise<string | null> {
  const range = firstArgument(call) || null
  if (range === null) return null
  const args = ['rev-list', '--max-count=0', '--end-of-options', range, '--']
  if ((await git.tryAsk({ args, parse: () => true })) === true) return range
  throw new KotefError('usage', `${printable(range)} is neither a commit nor a range.`, {
    hint: 'Name one as for `git log`, such as origin/main..HEAD',
  })
}
