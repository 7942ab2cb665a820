import type { JSX } from 'preact'
import { links } from './links.ts'
import { When } from './parts.tsx'
import type { RangeFacts } from './range-facts.ts'
import { SlowNotice } from './slow-notice.tsx'

/** Says what of the judgement of commits is not known yet. */
export function RangeNotices({ facts, what }: { readonly facts: RangeFacts; readonly what: string }): JSX.Element {
  const { range, review, ledger } = facts
  const here = links.range(range)
  return (
    <>
      <SlowNotice what={what} facts={{ ...review, isKnown: review.value !== null }} here={here} />
      {review.isCurrent && (
        <SlowNotice what="The findings in the ledger" facts={{ ...ledger, isKnown: false }} here={here} />
      )}
    </>
  )
}

/** Says when commits were judged, and how. */
export function JudgedLine({ judgedAt, now }: { readonly judgedAt: number; readonly now: number }): JSX.Element {
  return (
    <p class="hint">
      Judged <When at={new Date(judgedAt).toISOString()} now={now} />, as <code>kotef report</code> does, without
      running checks.
    </p>
  )
}
