import { finished } from '../io/finished.ts'
import { withoutPlaces } from '../io/without-places.ts'
import { packageFile } from '../package.ts'
import { KotefError } from '../report/failure.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { oneAtATime } from './rhythm.ts'

/** Has notes put on new commits, some time after HEAD has moved for the last time. */
export type Finaliser = Disposable & {
  moved(): void
}

/**
 * It takes all that was ever written to the files of a commit, so a process of its own does it: whoever waits for what
 * is written to be recorded does not wait for that, and the memory is given back.
 */
export function finaliserOf(workspace: Workspace, failed: (reason: unknown) => void): Finaliser {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | null = null
  const work = oneAtATime(async () => {
    const around = { cwd: workspace.root, env: withoutPlaces(process.env), signal: stop.signal }
    const { exit, stderr } = await finished(process.execPath, [packageFile('dist/main.cjs'), 'finalise'], around)
    if (exit === 0 || stop.signal.aborted) return
    if (!isAnother(exit))
      throw new KotefError('daemon-failed', `The newest commits have no notes yet. ${stderr.trim()}`)
    // What is noted so is looked at again by the next one who can.
    const { finalise } = await import('../provenance/finalise.ts')
    await finalise(workspace, { isWatched: false })
  })
  return {
    moved() {
      if (timer) clearTimeout(timer)
      timer = setTimeout(() => void work().catch(failed), REST_MS).unref()
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      stop.abort()
    },
  }
}

// Node or the package may be another one by now: it is gone, can't find its modules, or does not know the verb.
function isAnother(exit: number | null): boolean {
  return exit === null || exit === 1 || exit === 2
}

// Whoever asks earlier notes what there is by himself; whoever commits is not held up meanwhile.
const REST_MS = 2_000
