import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { carriedIntents, isSquashing } from './carried.ts'
import { liveIntents } from './facts.ts'
import { intentsToStamp, readMessage, stamp } from './message.ts'
import { isMerging, isRebasing, type Place } from './place.ts'
import { currentState } from './state.ts'

/**
 * Adds the live intent's trailer when no editor will open, or when the message is not empty and git may well skip
 * commit-msg. A merge needs none; in a rebase each commit keeps its own, and one made of several gets those of all.
 */
export function prepareCommitMsg(place: Place, { file, source }: { file: string; source: string }): void {
  const squashing = isSquashing(place)
  if (isMerging(place) || (isRebasing(place) && !squashing)) return
  if (!squashing && place.edited && source !== 'message' && source !== 'merge') return
  const { state } = currentState(place)
  // What a rebase puts together has git's own comments in it, whether or not an editor opens, unless it is of fixups.
  const edited = squashing ? !existsSync(join(place.gitDir, 'rebase-merge/message-fixup')) : place.edited
  const message = readMessage({ ...place, edited }, file)
  const carried = carriedIntents(place, { comment: message.how.comment, intents: state.policy.intents })
  stamp(message, intentsToStamp(message, { live: squashing ? [] : liveIntents(place, state), carried }))
}
