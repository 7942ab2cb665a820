import { runProgram } from '../io/process/run.ts'
import { withoutRepositoryEnv } from '../io/git/git-env.ts'
import { packageFile } from '../io/files/package.ts'
import { KotefError } from '../findings/failure.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'

/** Writes notes on new commits, some time after the last move of HEAD. */
export type NoteJob = Disposable & {
  headMoved(): void
}

/**
 * Annotating a commit reads every record of its files, so it runs in a child process: recording is not blocked, and the
 * memory is released.
 */
export function noteJobOf(workspace: Workspace, failed: (reason: unknown) => void): NoteJob {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  const work = coalesce(async () => {
    const options = { cwd: workspace.root, env: withoutRepositoryEnv(process.env), signal: stop.signal }
    const { exit, stderr } = await runProgram(process.execPath, [packageFile('dist/main.cjs'), 'finalise'], options)
    if (exit === 0 || stop.signal.aborted) return
    if (!isOtherVersion(exit))
      throw new KotefError('daemon-failed', `The newest commits have no notes yet: ${stderr.trim()}`)
    // The notes written here are checked again by the next process that can run the verb.
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

// Node or the package may have been replaced since: the program is gone, lacks its modules, or does not know the verb.
function isOtherVersion(exit: number | null): boolean {
  return exit === null || exit === 1 || exit === 2
}

// Commands that need notes sooner write them themselves. Commits in quick succession are annotated at once.
const ANNOTATE_DELAY_MS = 2_000
