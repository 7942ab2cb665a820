import type { Target } from '../../agents/target.ts'

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
