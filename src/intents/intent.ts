export const INTENT_STATUSES = ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]

/** A criterion closed by a person (`text`), or by the exit code of a command (`cmd`, seconds in `timeout`). */
export type Criterion = string | { readonly cmd: string; readonly timeout?: number | undefined }

/** One wanted piece of work, as the registry says it. */
export type Intent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: IntentStatus
  /** Globs; `!` takes away. The only authority to change a path. */
  readonly owned_scope: readonly string[]
  readonly constraints: readonly string[]
  readonly acceptance_criteria: readonly Criterion[]
  readonly appetite: 'Small' | 'Batch' | 'Big'
  readonly non_goals: readonly string[]
  readonly related_specs: readonly { readonly type: string; readonly url: string }[]
  readonly depends_on: readonly string[]
  /** ISO 8601, or null when the registry does not say. */
  readonly created_at: string | null
  readonly updated_at: string | null
}
