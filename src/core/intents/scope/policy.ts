import type { Config } from '../config.ts'
import { isFinalStatus, isOpen } from '../lifecycle.ts'
import { SETTINGS_ANYWHERE } from '../../base/governance-files.ts'
import { onceFor } from '../../base/once-for.ts'
import type { EnforcedConstraint } from '../contract/enforced-constraints.ts'
import { BLOCK_ALL, type Enforcements, enforcementsOn, stricterOf } from '../enforcement.ts'
import type { ChoreSize, IntentStatus } from '../intent.ts'

/** The rules about paths, as plain JSON: the hooks read it in place of YAML. */
export type Policy = {
  readonly intents: readonly PolicyIntent[]
  /** Globs of the governance files: no intent's scope covers them. */
  readonly governance: readonly string[]
  /** Globs that `.sdd/KOTEF.md` forbids to every intent. */
  readonly forbidden: readonly string[]
  /** The constraint lines of `.sdd/KOTEF.md` that are enforced for every intent; absent where there is none. */
  readonly constraints?: readonly EnforcedConstraint[]
  /** The lines of `.intentignore`, in gitignore syntax. */
  readonly intentignore: readonly string[]
  /** Globs of the paths that may go with the work for any intent, such as lock files. */
  readonly rides?: readonly string[]
  /** A governance file whose list of lessons may change with the work for any intent; absent for none. */
  readonly lessonsFile?: string
  /** Whose commits need no intent, and for which paths. */
  readonly bots?: Config['bots']
  /** True where the worktree keeps intents in files of their own. */
  readonly isTeam?: true
  /** True where each commit carries the head of the ledger in a trailer. */
  readonly isAnchored?: true
  /** How its rules are enforced; absent: every rule blocks. */
  readonly enforcements?: Enforcements
}

/** A policy as it is enforced on a day in UTC, such as 2026-12-05. The same day gives the same object. */
export function policyOn(day: string, policy: Policy): Policy {
  const { enforcements } = policy
  if (!enforcements?.before) return policy
  const known = policiesOfDays(policy)
  const own = known.get(day) ?? { ...policy, enforcements: enforcementsOn(day, enforcements) }
  known.set(day, own)
  return own
}

const policiesOfDays = onceFor<Policy, Map<string, Policy>>(() => new Map())

/**
 * The policy for what an agent writes: what tools read as their settings are governance files in every folder. Where a
 * person writes them, an intent may own them. An exception in the list of governance files counts for both.
 */
export const policyForAgents = onceFor((policy: Policy): Policy => ({
  ...policy,
  governance: [...policy.governance, ...SETTINGS_ANYWHERE],
}))

export type PolicyIntent = {
  readonly id: string
  readonly name: string
  readonly status: IntentStatus
  readonly owned_scope: readonly string[]
  /** Its constraints that are enforced; absent where there is none. */
  readonly constraints?: readonly EnforcedConstraint[]
  /** The largest commit that a standing intent serves; absent of any other intent. */
  readonly chores?: ChoreSize
  /** True for an intent whose commits may not change behaviour. */
  readonly keepsBehaviour?: true
  /** True for an intent that only the worktree has, where HEAD has a registry. */
  readonly isUncommitted?: true
  /** True for an open intent that is completed or abandoned in HEAD. */
  readonly isReopened?: true
}

/** What a path is judged by: the globs of an intent, and its constraints. */
export type ConstrainedScope = Pick<PolicyIntent, 'owned_scope' | 'constraints'>

/** Whether an intent may change a path, and why; `by` is the pattern that decided. */
export type PathVerdict =
  | { readonly kind: 'owned'; readonly by: string }
  | { readonly kind: 'outside' }
  | { readonly kind: 'excluded'; readonly by: string }
  | { readonly kind: 'governance'; readonly by: string }
  | { readonly kind: 'forbidden'; readonly by: string }
  | { readonly kind: 'ignored'; readonly by: string }
  | { readonly kind: 'constraint'; readonly by: string; readonly constraint: EnforcedConstraint }
  | { readonly kind: 'malformed'; readonly why: string }

/**
 * The policy in force while files are edited: that of HEAD, so that an uncommitted edit never allows more. Statuses,
 * new intents, which are marked, and stricter lists are those of the worktree; if HEAD has no policy, everything is.
 */
export function effectivePolicy(tree: Policy, head: Policy | null): Policy {
  if (!head) return tree
  const committed = new Map(head.intents.map(it => [it.id, it]))
  return {
    intents: tree.intents.map(it => {
      const known = committed.get(it.id)
      return known
        ? {
            ...it,
            ...fewerChores(it.chores, known.chores),
            ...((it.keepsBehaviour || known.keepsBehaviour) && { keepsBehaviour: true }),
            owned_scope: known.owned_scope,
            ...constraintsOfBoth(it, known),
            ...(isOpen(it.status) && isFinalStatus(known.status) && { isReopened: true }),
          }
        : { ...it, isUncommitted: true }
    }),
    governance: tightest(tree.governance, head.governance),
    forbidden: tightest(tree.forbidden, head.forbidden),
    ...constraintsOfBoth(tree, head),
    intentignore: tightest(tree.intentignore, head.intentignore),
    ...(tree.isTeam && { isTeam: tree.isTeam }),
    ...(tree.lessonsFile !== undefined && tree.lessonsFile === head.lessonsFile && { lessonsFile: tree.lessonsFile }),
    ...((tree.isAnchored || head.isAnchored) && { isAnchored: true }),
    rides: inBoth(tree.rides ?? [], head.rides ?? []),
    bots: (tree.bots ?? []).filter(it => head.bots?.some(known => JSON.stringify(known) === JSON.stringify(it))),
    enforcements: stricterOf(tree.enforcements ?? BLOCK_ALL, head.enforcements ?? BLOCK_ALL),
  }
}

type Constrained = Pick<Policy, 'constraints'>

/** The constraints of two versions: that of HEAD counts until its removal is committed. */
function constraintsOfBoth(
  { constraints: tree = [] }: Constrained,
  { constraints: head = [] }: Constrained,
): Constrained {
  const all = [...new Map([...head, ...tree].map(it => [JSON.stringify(it), it])).values()]
  return all.length > 0 ? { constraints: all } : {}
}

function fewerChores(tree: ChoreSize | undefined, head: ChoreSize | undefined): Pick<PolicyIntent, 'chores'> {
  const one = tree ?? head
  const other = head ?? tree
  return one && other
    ? { chores: { files: Math.min(one.files, other.files), lines: Math.min(one.lines, other.lines) } }
    : {}
}

// Here a glob allows something, so it counts when both have it, and an exception when one has it.
function inBoth(tree: readonly string[], head: readonly string[]): string[] {
  const isException = (it: string) => it.startsWith('!')
  const exceptions = [...tree, ...head].filter(isException)
  return [...tree.filter(it => !isException(it) && head.includes(it)), ...new Set(exceptions)]
}

// A `!` line makes an exception, so a `!` line that HEAD does not have would forbid less.
function tightest(tree: readonly string[], head: readonly string[]): string[] {
  const known = new Set(head)
  return [...head, ...tree.filter(it => !known.has(it) && !it.startsWith('!'))]
}
