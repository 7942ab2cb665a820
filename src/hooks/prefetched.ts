import { readFileSync } from 'node:fs'
import { stagedChanges } from '../git/changes.ts'
import { policyInHead } from '../scope/compiled-policy.ts'

/** What nearly every judgement of a commit asks of git, in the order in which the shell asks it. */
export const PREFETCHED: readonly (readonly string[])[] = [policyInHead.args, stagedChanges('HEAD').args]

/**
 * What git printed for these arguments, when the shell has asked it while this program was still starting; null for
 * any other question, and for one that git did not answer. The shell says so in the environment, and the rest on stdin.
 */
export function prefetchedAnswer(args: readonly string[]): string | null {
  const question = args.join('\0')
  const n = PREFETCHED.findIndex(it => it.join('\0') === question)
  return n === -1 ? null : (prefetchedAnswers()[n] ?? null)
}

let cachedAnswers: readonly (string | null)[] | null = null

function prefetchedAnswers(): readonly (string | null)[] {
  cachedAnswers ??= process.env['KOTEF_ASKED'] === '1' ? parsePrefetched(readPrefetched()) : []
  return cachedAnswers
}

function readPrefetched(): string {
  try {
    return readFileSync(0, 'utf8')
  } catch {
    return ''
  }
}

/** What git prints are fields that end in NUL and are never empty; after them come an empty one and git's exit code. */
function parsePrefetched(text: string): (string | null)[] {
  const found: (string | null)[] = []
  for (let from = 0, end = 0; (end = emptyField(text, from)) >= 0;) {
    const stop = text.indexOf('\0', end + 1)
    found.push(text.slice(end + 1, stop) === '0' ? text.slice(from, end) : null)
    from = stop === -1 ? text.length : stop + 1
  }
  return found
}

/** Where the next empty field ends, or -1. */
function emptyField(text: string, from: number): number {
  if (text.startsWith('\0', from)) return from
  const last = text.indexOf('\0\0', from)
  return last === -1 ? -1 : last + 1
}
