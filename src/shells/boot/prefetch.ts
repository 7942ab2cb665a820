import type { VerbCall } from '../cli/verb.ts'
import { resolveFile } from '../cli/repository-path.ts'
import { LIST_INDEX } from '../../core/git/index-entries.ts'
import { ownPath } from '../../world/io/worktree/layout.ts'
import { blameArgs, parseBlame } from '../../core/git/blame.ts'
import { gitStatusWithIgnored } from '../../core/git/status.ts'
import { askGitDirectly, readGit } from '../../world/io/git/run-git.ts'
import { locateWorktree } from '../../world/io/git/read-git-dir.ts'
import { startWatchThread } from '../../world/io/watch/directories.ts'

type Prefetched = VerbCall['prefetched']

/**
 * Starts git for `kotef blame [--json] <file>` and `kotef watch`, and the thread that watches, while the code of the
 * verb is still being loaded: each takes about half of the time. Null for any other arguments.
 */
export function prefetch([verb, ...others]: readonly string[], cwd: string): Prefetched {
  return {
    blame: verb === 'blame' ? prefetchBlame(others, cwd) : null,
    ...(verb === 'watch' && others.every(it => WATCHES_HERE.test(it)) ? prefetchWatch(cwd) : NOT_WATCHING),
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

const NOT_WATCHING = { scan: null, watchThread: null }

function prefetchWatch(cwd: string): Pick<Prefetched, 'scan' | 'watchThread'> {
  const startedAt = Date.now()
  const worktree = process.platform === 'linux' ? locateWorktree(cwd) : null
  const watchThread = worktree && startWatchThread(worktree.root, ownPath(worktree))
  const index = readGit(LIST_INDEX, { cwd }).catch(() => null)
  const answer = askGitDirectly(cwd, gitStatusWithIgnored).catch(() => null)
  return { scan: { startedAt, answer, index }, watchThread }
}

// With any other option this process watches nothing.
const WATCHES_HERE = /^(--json|--quiet|--idle|\d+)$/
