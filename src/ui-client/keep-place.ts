/**
 * Changes the page, and scrolls so that what a person reads stays where it is: the element that has the focus, else the
 * first one in view. At the top of the page nothing is scrolled, so that what is new can be seen.
 */
export function keepPlace(change: () => void): void {
  const anchor = placeToKeep()
  const before = anchor?.getBoundingClientRect().top ?? 0
  change()
  if (!anchor?.isConnected) return
  const moved = anchor.getBoundingClientRect().top - before
  if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
}

function placeToKeep(): Element | null {
  const { activeElement, body } = document
  const main = document.getElementById('main')
  if (activeElement && activeElement !== body && activeElement !== main && isInView(activeElement)) return activeElement
  if (window.scrollY === 0) return null
  return [...document.querySelectorAll('main li, main tr, main h2')].find(isInView) ?? null
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= BAR_PIXELS && bottom <= window.innerHeight
}

// What is behind the bar at the top is not in view.
const BAR_PIXELS = 48
