import type { Deed } from './deed.ts'

/** The folders in which a command may run, from where the line began (`''`); null when they can't be followed. */
export type Cwds = readonly string[] | null

/** What a part of a line does, and where it leaves the shell when it succeeds and when it fails. */
export type Steps = { readonly deeds: readonly Deed[]; readonly ok: Cwds; readonly failed: Cwds }

const PLACES_MAX = 8

/** The places of both; null when there are too many to follow. */
export function allPlaces(some: Cwds, others: Cwds): Cwds {
  if (!some || !others) return null
  const all = [...new Set([...some, ...others])]
  return all.length > PLACES_MAX ? null : all
}

/** Deeds as seen from where the line began: what a relative path means depends on where its command runs. */
export function unplaced(deeds: readonly Deed[], at: Cwds): Deed[] {
  return deeds.flatMap((deed): Deed[] => {
    if (deed.does !== 'write' || isAbsolute(deed.path)) return [deed]
    if (!at) return [{ does: 'opaque', why: 'it writes in a folder that shows only when it runs' }]
    return at.map(folder => ({ ...deed, path: below(folder, deed.path) }))
  })
}

/** A path within a folder. It isn't made shorter: where a link leads is not known here. */
export function below(folder: string, path: string): string {
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path}`
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~/')
}
