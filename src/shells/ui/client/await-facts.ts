import { fetchPage } from './made-page.ts'
import { replaceContent } from './replace-content.ts'

// Long enough for a server that counts at the same time.
const AGAIN_MS = 1_500

/** Reads a page again until it has all its facts: as long as it says that some are still being found. */
export function awaitFacts(changed: () => void): void {
  const region = document.querySelector<HTMLElement>('[data-awaits]')
  if (!region?.querySelector('[data-pending]')) return
  setTimeout(() => {
    void readAgain(region)
      .then(changed, () => {})
      .then(() => awaitFacts(changed))
  }, AGAIN_MS)
}

async function readAgain(region: HTMLElement): Promise<void> {
  const next = (await fetchPage())?.querySelector('[data-awaits]')
  if (next) replaceContent(region, next)
}
