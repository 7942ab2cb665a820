import { printable } from '../../base/printable.ts'
import type { Condition } from '../../base/first-row.ts'
import type { EnforcedConstraint } from '../../intents/contract/enforced-constraints.ts'
import type { PathVerdict } from '../../intents/scope/policy.ts'
import type { Reason } from './reasons.ts'
import { constraintBroken, roleViolation } from './reasons.ts'

/** What rows read of one location of a target. */
export type LocationFacts = {
  /** Where it is. */
  readonly place: TargetLocation['kind']
  /** The session's role in a handover may write it, or the session has none. */
  readonly isForRole: boolean
  /** What policy and scope say of a path in the worktree; null of any other. */
  readonly scope: PathVerdict['kind'] | null
  /** It is in a session of a handover. */
  readonly isOfHandover: boolean
  /** The config lets agents write such a file, temporary or ignored, and neither kotef nor agents' plugins need it. */
  readonly mayBeFree: boolean
  /** The call takes only its name away, and names no other location. */
  readonly isOnlyRemoved: boolean
} & Readonly<Record<AskedFact, boolean>>

/** What has to be asked for, the cheapest first: by the disk, by git, by the ledger. */
export const ASKED_FACTS = ['isTemporary', 'isIgnored', 'isOwnNewFile'] as const

export type AskedFact = (typeof ASKED_FACTS)[number]

/** Where a target really is: `path` is relative to the worktree for `inside`, else absolute. */
export type TargetLocation =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'git'; readonly path: string }
  | { readonly kind: 'worktree'; readonly path: string }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'nowhere'; readonly why: string }

/** What the words of a refusal are made of; `detail` is the pattern, or the cause, that refuses. */
type Refused = {
  readonly path: string
  readonly spelling: string
  readonly intent: string
  readonly detail: string
  /** The constraint that closes it; null where none does. */
  readonly constraint: EnforcedConstraint | null
}

/** `free`: any process may write it, and any content; `own`: unless it changed since the session knew it. */
export type TargetRow = {
  readonly name: string
  readonly answer: 'free' | 'own' | ((refused: Refused) => Reason)
  readonly when: Condition<LocationFacts>
}

/** May an agent write a location? The first row that fits decides. */
export const TARGET_ROWS: readonly TargetRow[] = [
  row('nowhere', it => malformed(it.spelling, it), { place: 'nowhere' }),
  row('git', elsewhere('path-of-git', 'belongs to git'), { place: 'git' }),
  row('other-worktree', elsewhere('path-in-worktree', 'is in another worktree'), { place: 'worktree' }),
  row('temporary', 'free', { place: 'outside', mayBeFree: true, isTemporary: true }),
  row('outside', elsewhere('path-outside', 'is outside the repository'), { place: 'outside' }),

  // It is in the worktree.
  row('not-for-role', it => roleViolation(it.path, it.detail), { isForRole: false }),
  row('owned', 'own', { scope: 'owned' }),
  // Sessions of the handover belong to no intent's scope.
  row('handover', 'own', { scope: 'outside', isOfHandover: true }),
  row('governance', governanceFile, { scope: 'governance' }),
  row('forbidden', forbidden, { scope: 'forbidden' }),
  row('intentignore', leftOut, { scope: 'ignored' }),
  row('constraint', brokenConstraint, { scope: 'constraint' }),
  row('malformed', it => malformed(it.path, it), { scope: 'malformed' }),
  row('ignored', 'free', { mayBeFree: true, isIgnored: true }),
  row('own-new-file', 'free', { isOnlyRemoved: true, isOwnNewFile: true }),
  row('not-owned', scopeViolation, {}),
]

function row(name: string, answer: TargetRow['answer'], when: TargetRow['when']): TargetRow {
  return { name, answer, when }
}

function elsewhere(code: Reason['code'], words: string): (refused: Refused) => Reason {
  return ({ spelling, path, intent }) => {
    const way = spelling === path ? '' : ` (it leads to ${printable(path)})`
    return pathReason(code, spelling, `${intent} is not authorized to edit ${printable(spelling)}: it ${words}${way}.`)
  }
}

function malformed(path: string, { detail }: Refused): Reason {
  return pathReason('path-malformed', path, `${printable(path)} can't be judged as a path: ${detail}.`)
}

function governanceFile({ path, intent }: Refused): Reason {
  const message = `${printable(path)} is a governance file: no intent's scope includes it.`
  const hint = 'Ask a person to change it, with `request_approval`.'
  return { ...pathReason('governance-plane', path, message), intent, hint }
}

function forbidden({ path, detail }: Refused): Reason {
  const message = `${printable(path)} is forbidden to every intent (${printable(detail)}).`
  return pathReason('path-forbidden', path, message)
}

function brokenConstraint({ path, intent, constraint }: Refused): Reason {
  if (constraint === null) throw new Error('A path that a constraint closes has one.')
  return { ...constraintBroken({ path }, constraint), intent }
}

function leftOut({ path }: Refused): Reason {
  return pathReason('path-ignored', path, `${printable(path)} is excluded from every intent by .intentignore.`)
}

function scopeViolation({ path, intent }: Refused): Reason {
  const message = `Scope Violation: ${intent} is not authorized to edit ${printable(path)}. Request scope expansion.`
  const hint =
    'Call `request_scope_expansion` with this path and the reason, or stay in the owned scope of your intent context.'
  return { code: 'scope-violation', message, path, intent, hint }
}

function pathReason(code: Reason['code'], path: string, message: string): Reason {
  return { code, message, path, intent: null, hint: 'Work on files in the owned scope, or ask a person.' }
}
