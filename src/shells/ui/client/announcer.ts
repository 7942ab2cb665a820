import type { LiveEvent } from './join-stream.ts'

// A screen reader speaks for about so long.
const SPEAK_MS = 3_000

/** Announces new records to a screen reader: how many, once for those that come together. */
export function announcer(): (event: Extract<LiveEvent, { record: unknown }>) => void {
  const place = document.createElement('p')
  place.className = 'unseen'
  place.setAttribute('role', 'status')
  document.body.append(place)
  let records = 0
  let violations = 0
  let isWaiting = false
  const speak = (): void => {
    const broken = violations === 0 ? '' : `, ${violations} of them a violation`
    place.textContent = `${records} new ${records === 1 ? 'record' : 'records'}${broken}`
    ;[records, violations, isWaiting] = [0, 0, false]
  }
  return ({ kind }) => {
    records++
    if (kind === 'violation') violations++
    if (isWaiting) return
    isWaiting = true
    setTimeout(speak, SPEAK_MS)
  }
}
