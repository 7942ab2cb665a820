import type { Finding } from '../base/finding.ts'
import { olderWorkIsShown } from './brought-changes.ts'
import { nothingIsBarred, type Rule, applyRules } from './apply-rules.ts'
import {
  type InheritedWork,
  inheritedIntents,
  isInherited,
  isLeaving,
  openIntents,
  intentsOwning,
  REQUEST_SCOPE_HINT,
} from './commit-facts.ts'
import { rolesWriteWhatTheyMay, sessionsKeepTheContract } from './handover-findings.ts'
import { governanceAloneFinding, outOfScopeFinding } from './hints.ts'
import { widenAllHint } from './widen-scope.ts'

/** Judges the staged changes as far as possible without a message: facts in, findings out, in a stable order. */
export function judgeStaged(facts: Parameters<Rule>[0]): Finding[] {
  if (facts.adoption || isLeaving(facts)) return []
  // Whether somebody accepts what a merge brings, its message will say.
  if (facts.brought && facts.brought.length > 0) return applyRules(facts, [nothingIsBarred, olderWorkIsShown])
  return applyRules(facts, [
    nothingIsBarred,
    olderWorkIsShown,
    governanceStandsAlone,
    someIntentIsOpen,
    eachPathIsOwned,
    sessionsKeepTheContract,
    rolesWriteWhatTheyMay,
  ])
}

const governanceStandsAlone: Rule = ({ inherited }, { work, governanceFiles }) =>
  work.length === 0
    ? []
    : governanceFiles
        .filter(path => !isOfSources(path, inherited))
        .map(path => governanceAloneFinding(path, governanceFiles))

// A squash or a revert changes what its commits changed; the message decides then.
function isOfSources(path: string, inherited: readonly InheritedWork[]): boolean {
  return inherited.some(({ changes }) => changes.some(it => it.path === path))
}

const someIntentIsOpen: Rule = (facts, { work }) => {
  const { policy } = facts
  if (work.length === 0 || openIntents(policy).length > 0 || inheritedIntents(facts).length > 0) return []
  const next = policy.intents.find(it => it.status === 'BLOCKED')
  const add = "`kotef intent add --name 'what it is for' --scope 'src/**'`"
  return [
    {
      rule: 'intent-open',
      level: 'block',
      path: null,
      message: 'no intent is open, so no intent owns the staged files',
      hint: next ? `Start one: \`kotef intent start ${next.id}\`` : `Add one with ${add}, and start it.`,
    },
  ]
}

const eachPathIsOwned: Rule = (facts, { work, judge }) => {
  const { policy, live, byAgent } = facts
  const open = openIntents(policy)
  if (open.length === 0 && inheritedIntents(facts).length === 0) return []
  const unowned = work.filter(it => intentsOwning(it, open, judge).length === 0 && !isInherited(it, facts, judge))
  const hint = byAgent ? REQUEST_SCOPE_HINT : widenAllHint(unowned, { policy, judge, cited: live })
  return unowned.map(path => outOfScopeFinding(path, { policy, judge, cited: live }, { hint }))
}
