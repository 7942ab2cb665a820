import { createContext } from 'preact'

/** Whether a page is kept up to date by a server. An exported one says when things were, and has no forms. */
export const LivePages = createContext(true)

/** The place of each intent in the registry, from 0: its colour follows from it. */
export const IntentPlaces = createContext<ReadonlyMap<string, number>>(new Map())

/** The places of intents that are given in their order. */
export function placesOf(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, place) => [id, place]))
}
