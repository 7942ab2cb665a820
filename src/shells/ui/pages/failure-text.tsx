import type { JSX } from 'preact'
import { HintText } from './command-text.tsx'
import { DataText } from './parts.tsx'

/** What failed, and the way out. */
export type FailureWords = { readonly message: string; readonly hint: string }

/**
 * A failure in a page: what failed is text, whatever stands in it, and the commands of the way out can be pasted. It is
 * one property, since an error that is spread loses its message.
 */
export function FailureText({ of: { message, hint } }: { readonly of: FailureWords }): JSX.Element {
  return (
    <p class="failure">
      <DataText text={message} />{' '}
      <bdi>
        <HintText text={hint} />
      </bdi>
    </p>
  )
}
