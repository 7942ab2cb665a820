import type { JSX } from 'preact'
import { groupedDigits } from './parts.tsx'

type PagerProps = {
  readonly total: number
  /** The number of the first shown item, from 0. */
  readonly from: number
  readonly shown: number
  readonly pageLength: number
  readonly hrefOf: (from: number | undefined) => string
}

/** The links to the pages before and after one of a long list; nothing when the list is on one page. */
export function Pager({ total, from, shown, pageLength, hrefOf }: PagerProps): JSX.Element | null {
  if (from === 0 && shown >= total) return null
  const before = Math.max(0, from - pageLength)
  return (
    <nav class="pager" aria-label="Pages of the list">
      {from > 0 && (
        <a rel="prev" href={hrefOf(before === 0 ? undefined : before)}>
          Previous
        </a>
      )}
      <span>
        {shown === 0 ? 'none' : `${groupedDigits(from + 1)} to ${groupedDigits(from + shown)}`} of{' '}
        {groupedDigits(total)}
      </span>
      {from + shown < total && (
        <a rel="next" href={hrefOf(from + shown)}>
          Next
        </a>
      )}
    </nav>
  )
}

/** The number of the first item that an address names, from 0. */
export function firstItem(text: string | null): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0
}
