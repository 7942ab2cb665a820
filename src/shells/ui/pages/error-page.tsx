import type { JSX } from 'preact'
import { HintText } from './command-text.tsx'
import { PageTitle } from './layout.tsx'
import { links } from './links.ts'
import { DataText } from './parts.tsx'

/** The page in place of one that is not there, or that could not be made; then with the reason and the way out. */
export function ErrorPage(props: {
  readonly title: string
  readonly message: string | null
  readonly hint: string | null
}): JSX.Element {
  return (
    <>
      <PageTitle title={props.title} />
      {props.message !== null && (
        <p class="failure">
          <DataText text={props.message} />
        </p>
      )}
      {props.hint !== null && (
        <p>
          <bdi>
            <HintText text={props.hint} />
          </bdi>
        </p>
      )}
      <p>
        <a href={links.now()}>Back to what happens now</a>
      </p>
    </>
  )
}
