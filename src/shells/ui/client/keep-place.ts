/**
 * Changes the page, and scrolls so that what a person reads stays where it is: the element that has the focus, else the
 * first one in view. At the top of the page nothing is scrolled, so that what is new can be seen.
 */
export function keepPlace(change: () => void): void {
  const anchor = placeToKeep()
  if (!anchor) return change()
  const top = topToKeep(anchor)
  kept = { anchor, top }
  change()
  if (!anchor.isConnected) return
  const moved = anchor.getBoundingClientRect().top - top
  if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
}

let kept: { readonly anchor: Element; readonly top: number } | null = null

/** Where the element is, or was before the browser rounded: what ten changes round would add up. */
function topToKeep(anchor: Element): number {
  const { top } = anchor.getBoundingClientRect()
  return anchor === kept?.anchor && Math.abs(top - kept.top) < ROUNDED_PIXELS ? kept.top : top
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
  return top >= BAR_PIXELS - ROUNDED_PIXELS && bottom <= window.innerHeight + ROUNDED_PIXELS
}

// A browser scrolls by whole pixels: what it has just brought into view can stand out by a part of one.
const ROUNDED_PIXELS = 1

// What is behind the bar at the top is not in view.
const BAR_PIXELS = 48
