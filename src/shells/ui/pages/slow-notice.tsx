import type { JSX } from 'preact'
import { DataText } from './parts.tsx'
import type { SlowFacts } from './slow-facts.ts'

type SlowNoticeProps = {
  /** What is being found, as the beginning of a sentence: `The lines of all commits`. */
  readonly what: string
  readonly facts: Pick<SlowFacts<unknown>, 'isCurrent' | 'share' | 'failure'> & { readonly isKnown: boolean }
  /** The address of the page itself, to read it again. */
  readonly here: string
}

/** Says what of a page is not known yet, or is of an earlier state of the repository; nothing when all is current. */
export function SlowNotice({ what, facts, here }: SlowNoticeProps): JSX.Element | null {
  const { isCurrent, isKnown, share, failure } = facts
  if (failure !== null)
    return (
      <p class="notice failure">
        {what} could not be read: <DataText text={failure} />
      </p>
    )
  if (isCurrent) return null
  const percent = Math.min(99, Math.floor(share * 100))
  const state = isKnown ? `${what} are of an earlier commit; the newer ones are` : `${what} are`
  return (
    <p class="notice" data-pending={percent}>
      {state} still being counted ({percent} %). <a href={here}>Read again</a>
    </p>
  )
}
