import type { Effect } from './effect.ts'

/** The folders in which a command may run, relative to the line's own (`''`); null when they can't be followed. */
export type Cwds = readonly string[] | null

/** The effects of a part of a line, and the shell's folders after its success and its failure. */
export type StepResult = { readonly effects: readonly Effect[]; readonly onSuccess: Cwds; readonly onFailure: Cwds }

// Each branch may double them; real lines have one or two.
const CWDS_MAX = 8

/** The folders of both; null when there are too many to follow. */
export function unionOfCwds(some: Cwds, others: Cwds): Cwds {
  if (!some || !others) return null
  const all = [...new Set([...some, ...others])]
  return all.length > CWDS_MAX ? null : all
}

/** Effects with their paths relative to the line's folder, for a command that runs in each of `at`. */
export function effectsFromLineStart(effects: readonly Effect[], at: Cwds): Effect[] {
  return effects.flatMap((effect): Effect[] => {
    if (effect.kind !== 'write' || isAbsolute(effect.path)) return [effect]
    if (!at) return [{ kind: 'opaque', why: 'it writes in a folder that is only known when it runs' }]
    return at.map(folder => ({ ...effect, path: pathInFolder(folder, effect.path) }))
  })
}

/** A path in a folder. `..` is kept: the folder may be a link, which is not known here. */
export function pathInFolder(folder: string, path: string): string {
  return folder === '' || isAbsolute(path) ? path : `${folder}/${path}`
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~/')
}
