import { distanceText } from '../pages/parts.tsx'

const REWRITE_MS = 20_000

/** Keeps each `<time>` of the page as far from now as it is. */
export function keepTimes(): void {
  setInterval(() => {
    const now = Date.now()
    for (const it of document.querySelectorAll('time[datetime]')) {
      const text = distanceText(it.getAttribute('datetime') ?? '', now)
      if (it.textContent !== text) it.textContent = text
    }
  }, REWRITE_MS)
}
