import { keepPlace } from './keep-place.ts'
import { fetchPage } from './made-page.ts'
import { replaceContent } from './replace-content.ts'

/** Brings the live parts of the page up to date, by the page as the server makes it now. */
export async function refreshRegions({ withList }: { readonly withList: boolean }): Promise<void> {
  const next = await fetchPage()
  if (next) keepPlace(() => replaceRegions(next, withList))
}

function replaceRegions(next: Document, withList: boolean): void {
  for (const region of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const newer = next.querySelector(`[data-live="${CSS.escape(region.dataset['live'] ?? '')}"]`)
    if (newer) replaceContent(region, newer)
  }
  const list = document.getElementById('live')
  const newerList = next.getElementById('live')
  if (withList && list && newerList) replaceContent(list, newerList)
}
