import type { IntentStatus } from '../intents/intent.ts'

/** The rules about paths, as plain JSON: the hooks read it in place of YAML. */
export type Policy = {
  readonly intents: readonly PolicyIntent[]
  /** Globs of the governance files: no intent's scope covers them. */
  readonly governance: readonly string[]
  /** Globs that `.sdd/KOTEF.md` forbids to every intent. */
  readonly forbidden: readonly string[]
  /** The lines of `.intentignore`, in gitignore syntax. */
  readonly intentignore: readonly string[]
}

export type PolicyIntent = {
  readonly id: string
  readonly name: string
  readonly status: IntentStatus
  readonly owned_scope: readonly string[]
}

/** Whether an intent may change a path, and why; `by` is the pattern that decided. */
export type PathVerdict =
  | { readonly kind: 'owned'; readonly by: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'excluded'; readonly by: string }
  | { readonly kind: 'governance'; readonly by: string }
  | { readonly kind: 'forbidden'; readonly by: string }
  | { readonly kind: 'ignored'; readonly by: string }
  | { readonly kind: 'malformed'; readonly why: string }
