import type { Target } from '../../agents/target.ts'

/** What a command was understood to do; targets begin where the command was started. */
export type ShellEffects = {
  /** `write` is told by its targets alone; `opaque` may write more than these, or whatever it likes. */
  readonly kind: 'read' | 'write' | 'opaque'
  readonly targets: readonly Target[]
  /** Why it is opaque; null when it is not. */
  readonly why: string | null
  /** What in it would switch governance off. */
  readonly switches: readonly string[]
  /** True where git is to ask its hooks, as the environment lets it. */
  readonly asksHooks: boolean
  /** True where a shell or an interpreter would wait for words. */
  readonly interactive: boolean
}

/** One thing that a part of a command does; a part that only reads does nothing. */
export type Effect =
  | ({ readonly kind: 'write' } & Target)
  /** Changes what git keeps, and no file of the worktree; git's own hooks judge it. */
  | { readonly kind: 'record' }
  /** Has git ask its hooks, unless something around it has switched them off. */
  | { readonly kind: 'hooked' }
  | { readonly kind: 'opaque'; readonly why: string }
  | { readonly kind: 'switch'; readonly what: string }
  | { readonly kind: 'wait' }

/** What is opaque, as a list of one. */
export function opaqueEffects(why: string): Effect[] {
  return [{ kind: 'opaque', why }]
}

/** Writes to each of some paths. */
export function writeEffects(paths: readonly string[], more: Omit<Target, 'path'> = {}): Effect[] {
  return paths.map(path => ({ kind: 'write', path, ...more }))
}
