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
