import { keepPlace } from './keep-place.ts'

/** Brings the live parts of the page up to date, by the page as the server makes it now. */
export async function refreshRegions({ withList }: { readonly withList: boolean }): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  keepPlace(() => replaceRegions(next, withList))
}

function replaceRegions(next: Document, withList: boolean): void {
  for (const region of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const newer = next.querySelector(`[data-live="${CSS.escape(region.dataset['live'] ?? '')}"]`)
    if (newer) replaceContent(region, newer)
  }
  const [list, newerList] = [document.getElementById('live'), next.getElementById('live')]
  if (withList && list && newerList) replaceContent(list, newerList)
}

/** Replaces what an element contains; focus and scroll stay where they are. */
export function replaceContent(region: HTMLElement, newer: Element): void {
  if (region.innerHTML === newer.innerHTML) return
  const focused = region.contains(document.activeElement) ? addressOf(document.activeElement, region) : null
  const scrolled = [...region.querySelectorAll('.table')].map(it => it.scrollLeft)
  region.replaceChildren(...newer.childNodes)
  region.querySelectorAll('.table').forEach((it, n) => (it.scrollLeft = scrolled[n] ?? 0))
  if (focused) elementAt(focused, region)?.focus({ preventScroll: true })
}

type Address = { readonly selector: string; readonly place: number }

/** How an element is found again: what it is, and which of its kind. */
function addressOf(element: Element | null, region: Element): Address | null {
  const href = element?.getAttribute('href')
  const selector = element && (href ? `${element.localName}[href="${CSS.escape(href)}"]` : element.localName)
  if (!element || !selector) return null
  return { selector, place: [...region.querySelectorAll(selector)].indexOf(element) }
}

function elementAt({ selector, place }: Address, region: Element): HTMLElement | null {
  const found = region.querySelectorAll<HTMLElement>(selector)
  return found[place] ?? found[0] ?? null
}
