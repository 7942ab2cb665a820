import type { VerbCall } from '../cli/verb.ts'
import { resolveFile } from '../cli/repository-path.ts'
import { blameArgs, parseBlame } from '../git/blame.ts'
import { gitStatusWithIgnored } from '../git/status.ts'
import { askGitDirectly } from '../io/git/run-git.ts'
import type { PrefetchedScan } from '../observation/baseline.ts'

type Prefetched = VerbCall['prefetched']

/**
 * Starts git for `kotef blame [--json] <file>` and `kotef watch` while the code of the verb is still being loaded: each
 * takes about half of the time. Null for any other arguments.
 */
export function prefetch([verb, ...others]: readonly string[], cwd: string): Prefetched {
  return {
    blame: verb === 'blame' ? prefetchBlame(others, cwd) : null,
    scan: verb === 'watch' ? prefetchScan(others, cwd) : null,
  }
}

function prefetchBlame(words: readonly string[], cwd: string): Prefetched['blame'] {
  const [file, ...more] = words.filter(it => it !== '--json')
  if (file === undefined || file.startsWith('-') || more.length > 0) return null
  const query = (path: string) => ({ args: blameArgs(path, { revision: null, ranges: [] }), parse: parseBlame })
  return resolveFile(cwd, file)
    .then(it => askGitDirectly(cwd, query(it)))
    .catch(() => null)
}

function prefetchScan(words: readonly string[], cwd: string): PrefetchedScan | null {
  if (!words.every(it => WATCHES_HERE.test(it))) return null
  const startedAt = Date.now()
  return { startedAt, answer: askGitDirectly(cwd, gitStatusWithIgnored).catch(() => null) }
}

// With any other option this process watches nothing.
const WATCHES_HERE = /^(--json|--quiet|--idle|\d+)$/
