import type { Clock } from '../../world/io/process/clock.ts'
import type { VerbCall } from './verb.ts'

/**
 * Reports which share of a long history has been read: nothing before it has taken some seconds, and then each tenth
 * at most once.
 */
export function historyProgress(
  { notify }: Pick<VerbCall, 'notify'>,
  clock: Pick<Clock, 'ticks'>,
): (share: number) => void {
  const startedAt = clock.ticks()
  let tenths = 0
  return share => {
    if (clock.ticks() - startedAt < SILENT_MS_MAX || Math.floor(share * 10) <= tenths) return
    tenths = Math.floor(share * 10)
    if (tenths < 10) notify(`kotef is reading the history: ${tenths * 10} %`)
  }
}

// Nobody wonders about a command before that.
const SILENT_MS_MAX = 2_000
