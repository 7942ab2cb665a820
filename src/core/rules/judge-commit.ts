import type { Finding } from '../base/finding.ts'
import { printable } from '../base/printable.ts'
import { withoutAccepted } from './brought-changes.ts'
import { nothingIsBarred, takenBackIsShown, type Rule, applyRules } from './apply-rules.ts'
import {
  adoptionSaysWhy,
  aPersonApproves,
  aPersonReplaces,
  aPersonSets,
  aPersonTakesBack,
  governanceIsDeclared,
  governanceSaysWhy,
  onlyGovernanceChanges,
} from './governance-rules.ts'
import { agentsCiteTheirIntent } from './other-intent.ts'
import {
  type CommitFacts,
  inheritedIntents,
  isInherited,
  isReworked,
  isLeaving,
  onlySettlesConflicts,
  openIntents,
  intentsOwning,
  REQUEST_SCOPE_HINT,
  type SortedChanges,
} from './commit-facts.ts'
import { isOpen } from '../intents/lifecycle.ts'
import { sessionsKeepTheContract } from './handover-findings.ts'
import { governanceHint, outOfScopeFinding } from './hints.ts'
import { widenAllHint, widenHint } from './widen-scope.ts'
import { choreFindings, chorePaths, standingIntentsServeChores } from './chores.ts'
import { reworkFindings, withReworkWords } from './rework.ts'
import { noDependencyIsAdded } from './new-dependencies.ts'
import { refactorsKeepBehaviour } from './refactor-only.ts'
import { notOpen, onlyHere, uncommittedIntent, unknownIntent } from './cited-intents.ts'
import { ownersOf, trailersHint } from './owners.ts'
import { isRegistryPath } from '../base/governance-files.ts'

/** Judges a commit with its message: facts in, findings out, in a stable order. */
export function judgeCommit(given: CommitFacts): Finding[] {
  const facts = withoutAccepted(given)
  if (facts.conflicted !== null && facts.changes.length === 0) return []
  if (facts.adoption) return applyRules(facts, [adoptionSaysWhy, aPersonApproves, sessionsKeepTheContract])
  if (facts.governance !== null && isLeaving(facts)) return applyRules(facts, [governanceSaysWhy, aPersonApproves])
  if (facts.governance === null)
    return applyRules(facts, [nothingIsBarred, governanceIsDeclared, aPersonTakesBack, ...WORK_RULES])
  // A squash has the trailers of its commits: those of governance commits, and those of the work.
  return facts.cited.length > 0
    ? applyRules(facts, [governanceSaysWhy, nothingIsBarred, aPersonApproves, aPersonReplaces, ...WORK_RULES])
    : applyRules(facts, [
        governanceSaysWhy,
        onlyGovernanceChanges,
        aPersonApproves,
        aPersonReplaces,
        aPersonSets,
        sessionsKeepTheContract,
      ])
}

type CommitRule = Rule<CommitFacts>

const anIntentIsNamed: CommitRule = (facts, sorted) => {
  const { cited } = facts
  const { work, governanceFiles } = sorted
  // Nothing changes, so that there is nothing to want: such a commit starts a pipeline.
  if (facts.changes.length === 0 && !facts.amends) return []
  if (facts.changes.length > 0 && sorted.takenBack.length === facts.changes.length) return []
  // Of a commit with both, each half is judged: who splits it meets nothing new.
  if (cited.length > 0 || (governanceFiles.length > 0 && work.length === 0) || onlySettlesConflicts(facts)) return []
  if (inheritedIntents(facts).length > 0) return []
  if (facts.misplaced.length > 0) return [misplacedTrailer(facts, 'block')]
  const flaws = choreFindings(chorePaths(work, facts, sorted), facts)
  if (flaws.length > 0) return flaws
  const { words, trailers } = ownersOf(work, facts, sorted)
  const lack = isOfRegistry(facts, work) ? 'gives no reason for the change of the registry' : 'names no intent'
  const ownerWords = words === '' ? '' : `: ${words}`
  return [
    {
      rule: 'intent-named',
      level: 'block',
      path: null,
      message: `the message ${lack}${facts.conflicted ? addedWords(facts) : ownerWords}`,
      hint: namingHint(facts, work, trailers),
    },
  ]
}

// A path that only such an intent owns is outside of the cited ones. Where a hook adds trailers, settings of git may
// hide one from it that counts in the end.
const eachCitationCounts: CommitRule = facts =>
  facts.retry === null && facts.cited.length > 0 && facts.misplaced.length > 0
    ? [misplacedTrailer(facts, 'review')]
    : []

function misplacedTrailer({ misplaced }: CommitFacts, level: 'block' | 'review'): Finding {
  const named = misplaced.map(it => printable(`Intent-ID: ${it}`)).join(', ')
  return {
    rule: 'trailer-misplaced',
    level,
    path: null,
    message: `the message has ${named} where git finds no trailer, so it does not count`,
    hint: 'Move it to the last paragraph of the message, with nothing but trailers: `git commit --amend`',
  }
}

// Most merges need no intent, so the message says why this one does.
function addedWords({ changes, conflicted, brought = [] }: CommitFacts): string {
  const [path, ...more] = changes.map(it => it.path).filter(it => conflicted?.includes(it) === false)
  if (path === undefined) return ''
  const names = `${printable(path)}${more.length > 0 ? ` and ${more.length} more` : ''}`
  return brought.includes(path)
    ? `, and the merge brings ${names} from a history that nobody judged`
    : `, and the merge itself changes ${names}`
}

function namingHint(facts: CommitFacts, work: readonly string[], trailers: readonly string[] | null): string {
  const { policy, retry, live, byAgent } = facts
  if (byAgent) return REQUEST_SCOPE_HINT
  if (isOfRegistry(facts, work)) return governanceHint(facts.changes.map(it => it.path).filter(isRegistryPath))
  if (trailers !== null && work.length > 0) return trailersHint(trailers, retry)
  if (facts.brought && facts.brought.length > 0) return ACCEPT_HINT
  if (openIntents(policy).length > 0)
    return work.length === 0 ? ANY_TRAILER_HINT : `To cite one, ${widenHint(work[0] ?? '', live, policy)}`
  const next = policy.intents.find(it => it.status === 'BLOCKED')
  return next
    ? `Start one: \`kotef intent start ${next.id}\``
    : "Add one: `kotef intent add --name 'what it is for' --scope 'src/**'`"
}

const ACCEPT_HINT = "Accept what it brings, with a reason: `git commit -m 'merge' -m 'Governance: why'`"

// A change of statuses alone: it may be in any commit, and needs a reason where there is no work.
function isOfRegistry({ changes }: CommitFacts, work: readonly string[]): boolean {
  return work.length === 0 && changes.some(it => isRegistryPath(it.path))
}

const ANY_TRAILER_HINT = 'Add the trailer `Intent-ID:` of the intent that it is for; `kotef intent list` prints them.'

const citedIntentsAreOpen: CommitRule = (facts, { work }) => {
  const { cited, policy, changes } = facts
  // A commit that only records transitions may follow after the intent is closed, and so may a commit that reverts or
  // repeats work from before that.
  const onlyRecords = work.length === 0 && changes.length > 0
  const inherited = inheritedIntents(facts)
  // A governance commit may name the intent that it adds.
  if (work.length === 0 && facts.governance !== null) return []
  return cited.flatMap(id => {
    const intent = policy.intents.find(it => it.id === id)
    if (!intent) return [unknownIntent(id, policy.intents)]
    const isTeam = policy.isTeam ?? false
    // What an agent may do, a commit says: it could have changed the worktree's registry itself.
    if (facts.byAgent && (intent.isUncommitted || intent.isReopened)) return [onlyHere(intent, isTeam)]
    if (intent.isUncommitted) return bringsRegistry(facts) ? [] : [uncommittedIntent(id, isTeam)]
    return isOpen(intent.status) || onlyRecords || inherited.includes(intent) ? [] : [notOpen(intent)]
  })
}

// A squash has the registry of its commits.
function bringsRegistry({ governance, changes }: CommitFacts): boolean {
  return governance !== null && changes.some(it => isRegistryPath(it.path))
}

const anotherAgentsIntentIsNotCited: CommitRule = ({ byAgent, claimedByOthers, cited }) =>
  cited
    .filter(it => byAgent && claimedByOthers.includes(it))
    .map(id => ({
      rule: 'claim-held',
      level: 'block',
      path: null,
      message: `the message cites ${id}, which another live session claims`,
      hint: REQUEST_SCOPE_HINT,
    }))

const citedIntentsOwnEachPath: CommitRule = (facts, sorted) => {
  const { work, judge } = sorted
  const { cited, live, policy } = facts
  // A merge that only resolves conflicts needs no trailer; the live intents must own its paths.
  const isSilent = onlySettlesConflicts(facts) && cited.length === 0
  const inherited = inheritedIntents(facts)
  const namedIntents = policy.intents.filter(it => (isSilent ? live : cited).includes(it.id))
  if (namedIntents.length + inherited.length === 0 && !isSilent) return []
  // A closed intent covers only the paths of its commits that this one was made from.
  const covering = namedIntents.filter(it => isOpen(it.status) || !inherited.includes(it))
  const closed = sorted.riding.filter(path => namedIntents.some(it => judge(it, path).kind === 'constraint'))
  const others = [...work, ...closed].filter(it => intentsOwning(it, covering, judge).length === 0)
  const lent = others.filter(
    it => isInherited(it, facts, judge) || (cited.length === 0 && isReworked(it, facts, judge)),
  )
  const unowned = others.filter(it => !lent.includes(it))
  const ids = [...new Set([...namedIntents, ...inherited])].map(it => it.id)
  const hint = unowned.length === 0 ? null : sharedHint(unowned, facts, sorted)
  const outside = unowned.map(path => outOfScopeFinding(path, { policy, judge, cited: ids }, { hint }))
  return [...withReworkWords(outside, facts), ...reworkFindings(lent, facts)]
}

/** One line for all paths that no cited intent owns: the trailers of their owners. Null if a path has no owner. */
function sharedHint(unowned: readonly string[], facts: CommitFacts, sorted: SortedChanges): string | null {
  const { trailers } = ownersOf(unowned, facts, sorted)
  if (facts.byAgent) return REQUEST_SCOPE_HINT
  if (trailers === null) return widenAllHint(unowned, { policy: facts.policy, judge: sorted.judge, cited: facts.cited })
  // Beside the owner's trailer, one for an intent that owns nothing here would be wrong.
  const replaces = facts.cited.length === 1 && trailers.length === 1 && unowned.length === sorted.work.length
  return trailersHint(trailers, facts.retry, { replaces })
}

const WORK_RULES: readonly CommitRule[] = [
  anIntentIsNamed,
  takenBackIsShown,
  eachCitationCounts,
  citedIntentsAreOpen,
  anotherAgentsIntentIsNotCited,
  agentsCiteTheirIntent,
  aPersonSets,
  standingIntentsServeChores,
  citedIntentsOwnEachPath,
  noDependencyIsAdded,
  refactorsKeepBehaviour,
  sessionsKeepTheContract,
]
