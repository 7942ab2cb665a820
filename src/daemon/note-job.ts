import { runProgram } from '../io/process/run.ts'
import { withoutRepositoryEnv } from '../io/git/git-env.ts'
import { packageFile } from '../io/files/package.ts'
import { KotefError } from '../findings/failure.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'

/** Has notes put on new commits, some time after HEAD has moved for the last time. */
export type NoteJob = Disposable & {
  headMoved(): void
}

/**
 * It takes all that was ever written to the files of a commit, so a process of its own does it: whoever waits for what
 * is written to be recorded does not wait for that, and the memory is given back.
 */
export function noteJobOf(workspace: Workspace, failed: (reason: unknown) => void): NoteJob {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  const work = coalesce(async () => {
    const options = { cwd: workspace.root, env: withoutRepositoryEnv(process.env), signal: stop.signal }
    const { exit, stderr } = await runProgram(process.execPath, [packageFile('dist/main.cjs'), 'finalise'], options)
    if (exit === 0 || stop.signal.aborted) return
    if (!isOtherVersion(exit))
      throw new KotefError('daemon-failed', `The newest commits have no notes yet. ${stderr.trim()}`)
    // What is noted so is looked at again by the next one who can.
    const { annotateCommits: finalise } = await import('../provenance/annotate-commits.ts')
    await finalise(workspace, { isWatched: false })
  })
  return {
    headMoved() {
      if (timer) clearTimeout(timer)
      timer = setTimeout(() => void work().catch(failed), ANNOTATE_DELAY_MS).unref()
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      stop.abort()
    },
  }
}

// Node or the package may be another one by now: it is gone, can't find its modules, or does not know the verb.
function isOtherVersion(exit: number | null): boolean {
  return exit === null || exit === 1 || exit === 2
}

// Whoever asks earlier notes what there is by himself; whoever commits is not held up meanwhile.
const ANNOTATE_DELAY_MS = 2_000
