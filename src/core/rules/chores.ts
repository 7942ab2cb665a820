import type { Finding } from '../base/finding.ts'
import { choreLimits, type ChoreSize, type Intent } from '../intents/intent.ts'
import type { PolicyIntent } from '../intents/scope/policy.ts'
import { plural, printable, shellQuoted } from '../base/printable.ts'
import type { Rule } from './apply-rules.ts'
import {
  type CommitFacts,
  intentsOwning,
  isInherited,
  openIntents,
  REQUEST_SCOPE_HINT,
  type SortedChanges,
  type StagedFacts,
  standingIntents,
  workIntents,
} from './commit-facts.ts'

/** Why a standing intent does not serve some paths that it owns. */
type ChoreFlaw = {
  readonly rule: 'chore-size' | 'chore-by-agent'
  readonly message: string
  /** A path of which a person may say that no agent wrote it. */
  readonly inDoubt?: string
}

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
  const inDoubt = paths.find(it => chores.perhapsByAgents?.includes(it))
  if (inDoubt !== undefined)
    return { rule: 'chore-by-agent', message: `${own}, and an agent may have written ${printable(inDoubt)}`, inDoubt }
  const size = { files: paths.length, lines: paths.reduce((sum, it) => sum + (chores.lines.get(it) ?? 0), 0) }
  if (size.files <= limits.files && size.lines <= limits.lines) return null
  return {
    rule: 'chore-size',
    message: `${own}, of at most ${choreSizeText(limits)}, and here are ${choreSizeText(size)}`,
  }
}

/** What a standing intent serves, in words; nothing of any other intent. */
export function standingText(intent: Intent): string[] {
  const limits = choreLimits(intent)
  return limits ? [`serves commits of people, of at most ${choreSizeText(limits)}`] : []
}

function choreSizeText({ files, lines }: ChoreSize): string {
  return `${plural(files, 'file')} and ${plural(lines, 'line')}`
}

/** The paths that only standing intents own, each with the first of them. */
export function chorePaths(
  paths: readonly string[],
  { policy }: Pick<StagedFacts, 'policy'>,
  { judge }: Pick<SortedChanges, 'judge'>,
): Map<PolicyIntent, string[]> {
  const work = workIntents(policy)
  const standing = standingIntents(policy)
  const byIntent = new Map<PolicyIntent, string[]>()
  for (const path of standing.length === 0 ? [] : paths) {
    const [owner] = intentsOwning(path, work, judge).length > 0 ? [] : intentsOwning(path, standing, judge)
    if (owner) byIntent.set(owner, [...(byIntent.get(owner) ?? []), path])
  }
  return byIntent
}

function choreFinding(
  { rule, message, inDoubt }: ChoreFlaw,
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
      : inDoubt !== undefined
        ? `If you wrote it, say so at a terminal, and commit again: \`kotef mine ${shellQuoted(inDoubt)}\``
        : `Add an intent for it, and commit again: \`kotef intent add --name 'what it is for'${scope} --commit\``,
  }
}

/** The findings of paths that standing intents own and do not serve. */
export function choreFindings(
  chores: ReadonlyMap<PolicyIntent, readonly string[]>,
  facts: Pick<StagedFacts, 'chores' | 'byAgent'>,
): Finding[] {
  return [...chores].flatMap(([intent, paths]) => {
    const flaw = choreFlaw(intent, paths, facts)
    return flaw ? [choreFinding(flaw, paths, facts)] : []
  })
}

/** A cited standing intent serves what it owns. What another cited intent owns as well is work for that one. */
export const standingIntentsServeChores: Rule<CommitFacts> = (facts, { work, judge }) => {
  const cited = openIntents(facts.policy).filter(it => facts.cited.includes(it.id))
  const others = cited.filter(it => !it.chores)
  const left = work.filter(it => intentsOwning(it, others, judge).length === 0 && !isInherited(it, facts, judge))
  const standing = cited.filter(it => it.chores)
  const byIntent = standing.map(
    it => [it, left.filter(path => intentsOwning(path, standing, judge)[0] === it)] as const,
  )
  return choreFindings(new Map(byIntent), facts)
}
