import type { Finding } from '../findings/finding.ts'
import type { ChoreSize } from '../intents/intent.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import { plural, printable, shellQuoted } from '../text/printable.ts'
import {
  intentsOwning,
  REQUEST_SCOPE_HINT,
  type SortedChanges,
  type StagedFacts,
  standingIntents,
  workIntents,
} from './commit-facts.ts'

/** Why a standing intent does not serve some paths that it owns. */
export type ChoreFlaw = { readonly rule: 'chore-size' | 'chore-by-agent'; readonly message: string }

/** Why a standing intent does not serve paths of a commit; null when it does, or when their size is not known. */
export function choreFlaw(
  { id, chores: limits }: PolicyIntent,
  paths: readonly string[],
  { chores, byAgent }: Pick<StagedFacts, 'chores' | 'byAgent'>,
): ChoreFlaw | null {
  if (!limits || !chores || paths.length === 0) return null
  const own = `${id} is for small commits of people`
  if (byAgent) return { rule: 'chore-by-agent', message: `${own}, and an agent makes this one` }
  const written = paths.find(it => chores.byAgents.includes(it))
  if (written !== undefined)
    return { rule: 'chore-by-agent', message: `${own}, and an agent wrote ${printable(written)}` }
  const size = { files: paths.length, lines: paths.reduce((sum, it) => sum + (chores.lines.get(it) ?? 0), 0) }
  if (size.files <= limits.files && size.lines <= limits.lines) return null
  return {
    rule: 'chore-size',
    message: `${own}, of at most ${choreSizeText(limits)}, and here are ${choreSizeText(size)}`,
  }
}

/** A size in words. */
export function choreSizeText({ files, lines }: ChoreSize): string {
  return `${plural(files, 'file')} and ${plural(lines, 'line')}`
}

/** The paths that only standing intents own, each with the first of them. */
export function chorePaths(
  paths: readonly string[],
  { policy }: Pick<StagedFacts, 'policy'>,
  { judge }: Pick<SortedChanges, 'judge'>,
): Map<PolicyIntent, string[]> {
  const [work, standing] = [workIntents(policy), standingIntents(policy)]
  const byIntent = new Map<PolicyIntent, string[]>()
  for (const path of standing.length === 0 ? [] : paths) {
    const [owner] = intentsOwning(path, work, judge).length > 0 ? [] : intentsOwning(path, standing, judge)
    if (owner) byIntent.set(owner, [...(byIntent.get(owner) ?? []), path])
  }
  return byIntent
}

/** The finding of paths that a standing intent owns and does not serve. */
export function choreFinding(
  { rule, message }: ChoreFlaw,
  paths: readonly string[],
  { byAgent }: Pick<StagedFacts, 'byAgent'>,
): Finding {
  const scope = paths.map(it => ` --scope ${shellQuoted(it)}`).join('')
  return {
    rule,
    level: 'block',
    path: null,
    message,
    hint: byAgent
      ? REQUEST_SCOPE_HINT
      : `Add an intent for it, and commit again: \`kotef intent add --name 'what it is for'${scope} --commit\``,
  }
}
