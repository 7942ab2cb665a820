import type { Effect } from './effect.ts'

/** The folders in which a command may run, from where the line began (`''`); null when they can't be followed. */
export type Cwds = readonly string[] | null

/** What a part of a line does, and where it leaves the shell when it succeeds and when it fails. */
export type StepResult = { readonly effects: readonly Effect[]; readonly onSuccess: Cwds; readonly onFailure: Cwds }

const CWDS_MAX = 8

/** The places of both; null when there are too many to follow. */
export function unionOfCwds(some: Cwds, others: Cwds): Cwds {
  if (!some || !others) return null
  const all = [...new Set([...some, ...others])]
  return all.length > CWDS_MAX ? null : all
}

/** Deeds as seen from where the line began: what a relative path means depends on where its command runs. */
export function effectsFromLineStart(effects: readonly Effect[], at: Cwds): Effect[] {
  return effects.flatMap((effect): Effect[] => {
    if (effect.kind !== 'write' || isAbsolute(effect.path)) return [effect]
    if (!at) return [{ kind: 'opaque', why: 'it writes in a folder that shows only when it runs' }]
    return at.map(folder => ({ ...effect, path: pathInFolder(folder, effect.path) }))
  })
}

/** A path within a folder. It isn't made shorter: where a link leads is not known here. */
export function pathInFolder(folder: string, path: string): string {
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path}`
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~/')
}
