import { replaceContent } from './replace-content.ts'

// Long enough for a server that makes the page at the same time.
const AGAIN_MS = 1_500

/** Waits until the page is made: what is shown until then says for how long, and the page takes its place. */
export async function untilMade(): Promise<void> {
  while (document.querySelector('[data-making]')) {
    const made = await fetchPage(showMain).catch(() => undefined)
    if (made === null) return location.reload()
    if (made) return showMain(made)
    // The server may be there again in a moment.
    await pause()
  }
}

/** The page as the server makes it now; null when it can't be made. `waits` gets what is shown while it is made. */
export async function fetchPage(waits: (shown: Document) => void = () => {}): Promise<Document | null> {
  for (;;) {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (answer.status !== ACCEPTED) return answer.ok ? page : null
    waits(page)
    await pause()
  }
}

const ACCEPTED = 202

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, AGAIN_MS))
}

function showMain(page: Document): void {
  const main = document.getElementById('main')
  const next = page.getElementById('main')
  document.title = page.title
  if (main && next) replaceContent(main, next)
}
