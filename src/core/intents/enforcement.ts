export const ENFORCEMENTS = ['observe', 'warn', 'block'] as const

/** How a rule is enforced: `observe` only records, `warn` prints as well and stops nothing, `block` refuses. */
export type Enforcement = (typeof ENFORCEMENTS)[number]

/** How the rules of a repository are enforced: all of them, and by their codes those with a setting of their own. */
export type Enforcements = { readonly enforce: Enforcement; readonly rules: Readonly<Record<string, Enforcement>> }

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

/** Every rule blocks. */
export const BLOCK_ALL: Enforcements = { enforce: 'block', rules: {} }

/** For each rule the stricter one of two settings. */
export function stricterOf(one: Enforcements, other: Enforcements): Enforcements {
  const stricter = (a: Enforcement, b: Enforcement): Enforcement => (isStricter(a, b) ? a : b)
  const rules = rulesIn(one, other).map(it => [it, stricter(enforcementOf(it, one), enforcementOf(it, other))] as const)
  return { enforce: stricter(one.enforce, other.enforce), rules: Object.fromEntries(rules) }
}

/** True when some rule is enforced less strictly after a change than before it. */
export function isLoosened(before: Enforcements, after: Enforcements): boolean {
  const pairs = rulesIn(before, after).map(it => [enforcementOf(it, before), enforcementOf(it, after)] as const)
  return [[before.enforce, after.enforce] as const, ...pairs].some(([old, current]) => isStricter(old, current))
}

function isStricter(one: Enforcement, other: Enforcement): boolean {
  return ENFORCEMENTS.indexOf(one) > ENFORCEMENTS.indexOf(other)
}

function rulesIn(one: Enforcements, other: Enforcements): string[] {
  return [...new Set([...Object.keys(one.rules), ...Object.keys(other.rules)])]
}
