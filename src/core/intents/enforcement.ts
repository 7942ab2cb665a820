export const ENFORCEMENTS = ['observe', 'warn', 'block'] as const

/** How a rule is enforced: `observe` only records, `warn` prints as well and stops nothing, `block` refuses. */
export type Enforcement = (typeof ENFORCEMENTS)[number]

/** How the rules of a repository are enforced: all of them, and by their codes those with a setting of their own. */
export type Enforcements = {
  readonly enforce: Enforcement
  readonly rules: Readonly<Record<string, Enforcement>>
  /** How all are enforced before a day, such as 2026-12-05 in UTC; absent where that never changes. */
  readonly before?: { readonly day: string; readonly enforce: Enforcement }
}

/** The enforcements that a config declares, as they are once all its days have come. */
export function enforcementsIn({ enforce, block_from: day, rules }: DeclaredEnforcement): Enforcements {
  return day === undefined || enforce === 'block'
    ? { enforce, rules }
    : { enforce: 'block', rules, before: { day, enforce } }
}

type DeclaredEnforcement = {
  readonly enforce: Enforcement
  readonly block_from?: string | undefined
  readonly rules: Enforcements['rules']
}

/** The enforcements on a day in UTC, such as 2026-12-05. */
export function enforcementsOn(day: string, enforcements: Enforcements): Enforcements {
  const { before } = enforcements
  return before ? { ...enforcements, enforce: day < before.day ? before.enforce : 'block' } : enforcements
}

/** True for a day of the calendar, such as 2026-12-05. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text
}

/** The day in UTC of a time in milliseconds since 1970, such as 2026-12-05; of a later year than 9999 its last day. */
export function dayOf(time: number): string {
  return new Date(Math.min(time, LAST_TIME)).toISOString().slice(0, 10)
}

// Days are compared as text, and a year of five digits begins with a sign.
const LAST_TIME = Date.UTC(9999, 11, 31)

/** The codes of the rules that can have a setting of their own. */
export const ENFORCED_RULES = [
  ...['in-scope', 'intent-named', 'intent-known', 'intent-open', 'trailer-misplaced', 'claim-held', 'other-intent'],
  ...['chore-size', 'chore-by-agent', 'refactor-only'],
  ...['path-forbidden', 'path-ignored', 'path-malformed'],
  ...['constraint-path', 'constraint-command', 'constraint-dependency'],
  ...['handover-format', 'handover-missing', 'handover-decision', 'handover-transition', 'handover-task'],
  ...['handover-retries', 'handover-approval', 'handover-done', 'handover-read-only', 'handover-role'],
  ...['governance-alone', 'governance-reason', 'governance-by-agent', 'governance-loosened', 'policy-in-range'],
] as const

// Once these are broken nobody knows what the policy says, so hooks, pushes and pipelines refuse them at every level.
const POLICY_IS_SOUND_RULES: readonly string[] = ['policy-readable', 'intent-id-clash']

/** How a rule is enforced. Without a setting a rule blocks, and what would damage the policy always does. */
export function enforcementOf(rule: string, { enforce, rules }: Enforcements = BLOCK_ALL): Enforcement {
  if (POLICY_IS_SOUND_RULES.includes(rule)) return 'block'
  return Object.hasOwn(rules, rule) ? (rules[rule] ?? enforce) : enforce
}

/** The day from which on a rule blocks that is let through before; null where there is none. */
export function blocksFrom(rule: string, { rules, before }: Enforcements = BLOCK_ALL): string | null {
  return Object.hasOwn(rules, rule) ? null : (before?.day ?? null)
}

/** Every rule blocks. */
export const BLOCK_ALL: Enforcements = { enforce: 'block', rules: {} }

/** For each rule the stricter one of two settings. */
export function stricterOf(one: Enforcements, other: Enforcements): Enforcements {
  const stricter = (a: Enforcement, b: Enforcement): Enforcement => (isStricter(a, b) ? a : b)
  const rules = rulesIn(one, other).map(it => [it, stricter(enforcementOf(it, one), enforcementOf(it, other))] as const)
  const [day] = [one, other].flatMap(it => it.before?.day ?? []).sort()
  const both = { enforce: stricter(one.enforce, other.enforce), rules: Object.fromEntries(rules) }
  if (day === undefined) return both
  return { ...both, before: { day, enforce: stricter(atFirst(one), atFirst(other)) } }
}

function atFirst({ enforce, before }: Enforcements): Enforcement {
  return before?.enforce ?? enforce
}

/** True when some rule is enforced less strictly after a change than before it, on any day. */
export function isLoosened(old: Enforcements, current: Enforcements): boolean {
  const pairs = rulesIn(old, current).map(it => [enforcementOf(it, old), enforcementOf(it, current)] as const)
  const levels = [[old.enforce, current.enforce], [atFirst(old), atFirst(current)], ...pairs] as const
  const isPutOff = old.before !== undefined && current.before !== undefined && old.before.day < current.before.day
  return isPutOff || levels.some(([one, other]) => isStricter(one, other))
}

function isStricter(one: Enforcement, other: Enforcement): boolean {
  return ENFORCEMENTS.indexOf(one) > ENFORCEMENTS.indexOf(other)
}

function rulesIn(one: Enforcements, other: Enforcements): string[] {
  return [...new Set([...Object.keys(one.rules), ...Object.keys(other.rules)])]
}
