export const INTENT_STATUSES = ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]

/** A criterion: a text that a person attests, or a command that exits with 0 (`timeout` in seconds). */
export type Criterion = string | { readonly cmd: string; readonly timeout?: number | undefined }

/** A piece of work that is wanted, as in the registry. */
export type Intent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: IntentStatus
  /** Globs of the paths that it may change; `!` excludes. */
  readonly owned_scope: readonly string[]
  readonly constraints: readonly string[]
  readonly acceptance_criteria: readonly Criterion[]
  readonly appetite: 'Small' | 'Batch' | 'Big'
  readonly non_goals: readonly string[]
  readonly related_specs: readonly { readonly type: string; readonly url: string }[]
  readonly depends_on: readonly string[]
  /** ISO 8601; null when the registry has none. */
  readonly created_at: string | null
  readonly updated_at: string | null
}
