import { liveIntents } from './facts.ts'
import { intentToStamp, readMessage, stamp } from './message.ts'
import { isMerging, isRebasing, type Place } from './place.ts'
import { currentState } from './state.ts'

/**
 * Adds the live intent's trailer when no editor will open, or when the message is not empty and git may well skip
 * commit-msg. A merge needs none, and a rebase lets each commit keep its own.
 */
export function prepareCommitMsg(place: Place, { file, source }: { file: string; source: string }): void {
  if (isRebasing(place) || isMerging(place)) return
  if (place.edited && source !== 'message' && source !== 'merge') return
  const message = readMessage(place, file)
  const intent = intentToStamp(message, liveIntents(place, currentState(place).state))
  if (intent !== null) stamp(message, intent)
}
