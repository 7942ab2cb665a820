import { finalise } from '../provenance/finalise.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { oneAtATime } from './rhythm.ts'

/** Puts notes on new commits, some time after HEAD has moved for the last time. */
export type Finaliser = Disposable & {
  moved(): void
}

/** `settled` resolves when everything that was written is in the ledger: true when it is. */
export function finaliserOf(
  workspace: Workspace,
  { settled, failed }: { settled: () => Promise<boolean>; failed: (reason: unknown) => void },
): Finaliser {
  let timer: NodeJS.Timeout | null = null
  const work = oneAtATime(async () => void (await finalise(workspace, { isWatched: true, settled })))
  const stop = (): void => void (timer && clearTimeout(timer))
  return {
    moved() {
      stop()
      timer = setTimeout(() => void work().catch(failed), REST_MS).unref()
    },
    [Symbol.dispose]: stop,
  }
}

// Whoever asks earlier notes what there is by himself; whoever commits is not held up meanwhile.
const REST_MS = 2_000
