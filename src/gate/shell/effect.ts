import type { Redirection } from 'unbash'
import type { Target } from '../../agents/tool-targets.ts'
import { staticText } from './arguments.ts'

/** The effects of a command line; relative targets start in the folder in which it is started. */
export type ShellEffects = {
  /** `write`: it writes its targets and nothing else in the worktree; `opaque`: it may write other files too. */
  readonly kind: 'read' | 'write' | 'opaque'
  readonly targets: readonly Target[]
  /** Why it is opaque; null when it is not. */
  readonly why: string | null
  /** The parts of it that would switch governance off. */
  readonly switches: readonly string[]
  /** True when git must run its hooks for it, unless the environment switches them off. */
  readonly asksHooks: boolean
  /** True when a shell or an interpreter would wait for input. */
  readonly interactive: boolean
}

/** One effect of a part of a command; a part that only reads has none. */
export type Effect =
  | ({ readonly kind: 'write' } & Target)
  /** Changes the repository, but no file of the worktree; git's own hooks judge it. */
  | { readonly kind: 'record' }
  /** Makes git run its hooks, unless the environment switches them off. */
  | { readonly kind: 'hooked' }
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'switch'; readonly what: string }
  | { readonly kind: 'wait' }

/** One opaque effect, as a list. */
export function opaqueEffects(why: string): Effect[] {
  return [{ kind: 'opaque', why }]
}

/** A write to each path. */
export function writeEffects(paths: readonly string[], more: Omit<Target, 'path'> = {}): Effect[] {
  return paths.map(path => ({ kind: 'write', path, ...more }))
}

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

/** The files that the redirects of a command write. */
export function redirectEffects(redirects: readonly Redirection[]): Effect[] {
  return redirects.flatMap(it => {
    if (it.type !== 'Redirect' || it.operator === '<' || it.operator === '<&') return []
    const path = it.target ? staticText(it.target) : null
    if (path === null) return opaqueEffects('it writes a file whose name is only known when it runs')
    const isDescriptor = it.operator === '>&' && /^\d*-?$/.test(path)
    return isDescriptor || isDevice(path) ? [] : writeEffects([path])
  })
}

/** True for a device that stores nothing. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(path)
}
