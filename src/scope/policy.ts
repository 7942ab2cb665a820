import type { IntentStatus } from '../intents/intent.ts'

/** All that a judgement of paths needs to know, as plain JSON: what the hooks read in place of YAML. */
export type Policy = {
  readonly intents: readonly PolicyIntent[]
  /** Globs of the governance plane: no intent's scope reaches them. */
  readonly governance: readonly string[]
  /** Globs that `.sdd/KOTEF.md` forbids to everybody. */
  readonly forbidden: readonly string[]
  /** The lines of `.intentignore`, gitignore syntax. */
  readonly intentignore: readonly string[]
}

export type PolicyIntent = {
  readonly id: string
  readonly name: string
  readonly status: IntentStatus
  readonly owned_scope: readonly string[]
}

/** Why an intent may, or may not, change a path; `by` is the pattern that decided. */
export type PathVerdict =
  | { readonly kind: 'owned'; readonly by: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'excluded'; readonly by: string }
  | { readonly kind: 'governance'; readonly by: string }
  | { readonly kind: 'forbidden'; readonly by: string }
  | { readonly kind: 'ignored'; readonly by: string }
  | { readonly kind: 'malformed'; readonly why: string }
