import { h, render } from 'preact'
import { IntentPlaces, placesOf } from '../pages/frame-context.ts'
import { keepPlace } from './keep-place.ts'
import { type RecordFacts, RecordItem } from '../pages/record-row.tsx'

const ITEMS_MAX = 200

/** The list of the latest records; null on a page without one. */
export type LiveList = {
  readonly from: string | null
  /** Adds a record as the first one; false when the list has it already. */
  add(record: RecordFacts): boolean
}

/** Keeps the items that are there, so that focus and position stay where they are. */
export function liveList(): LiveList | null {
  const list = document.getElementById('live')
  if (!list) return null
  return {
    from: list.dataset['offset'] ?? null,
    add(record) {
      if (list.querySelector(`[data-record="${CSS.escape(record.id)}"]`)) return false
      const holder = document.createElement('ol')
      const places = placesOf(JSON.parse(list.dataset['intents'] ?? '[]') as string[])
      render(h(IntentPlaces.Provider, { value: places }, h(RecordItem, { record, now: Date.now() })), holder)
      const item = holder.firstElementChild
      if (!item) return false
      item.classList.add('is-new')
      keepPlace(() => list.prepend(item))
      dropOld(list)
      return true
    },
  }
}

function dropOld(list: HTMLElement): void {
  const last = list.lastElementChild
  if (list.children.length > ITEMS_MAX && last && !last.contains(document.activeElement)) last.remove()
}
