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
  showTab(next)
  const list = document.getElementById('live')
  const newerList = next.getElementById('live')
  if (list && newerList) list.dataset['intents'] = newerList.dataset['intents'] ?? '[]'
  if (withList && list && newerList) replaceContent(list, newerList)
}

/** Shows in the tab what waits for a person: by the title, and by the icon. */
function showTab(next: Document): void {
  if (document.title !== next.title) document.title = next.title
  const icon = document.querySelector('link[rel=icon]')
  const newer = next.querySelector('link[rel=icon]')?.getAttribute('href')
  if (newer && icon?.getAttribute('href') !== newer) icon?.setAttribute('href', newer)
}
