import type { JSX } from 'preact'
import { PageTitle } from './layout.tsx'

type MakingProps = {
  /** For how long the page has been made. */
  readonly seconds: number
  /** The address of the page itself, to read it again. */
  readonly here: string
}

/** The page in place of one that takes long to make. The client waits for that one, and shows it. */
export function MakingPage({ seconds, here }: MakingProps): JSX.Element {
  return (
    <>
      <PageTitle title="This page takes a while" />
      <p class="notice" data-making>
        kotef has been making it for {seconds} s: it is shown here when it is ready. <a href={here}>Read again</a>
      </p>
    </>
  )
}
