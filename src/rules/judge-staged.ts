import type { Finding } from '../report/finding.ts'
import { printable } from '../report/printable.ts'
import { nothingIsBarred, type Rule, settled } from './everywhere.ts'
import { inheritedIntents, isInherited, openIntents, ownersOf } from './facts.ts'
import { outside } from './words.ts'

/** What is wrong with the staged changes whatever the message will say: facts in, findings out, in a stable order. */
export function judgeStaged(facts: Parameters<Rule>[0]): Finding[] {
  if (facts.adoption) return []
  return settled(facts, [nothingIsBarred, governanceStandsAlone, someIntentIsOpen, somebodyOwnsEach])
}

const governanceStandsAlone: Rule = (_, { work, plane }) =>
  work.length === 0
    ? []
    : plane.map(path => ({
        rule: 'governance-alone',
        level: 'block',
        path,
        message: `${printable(path)} governs this repository and can't be committed together with other work`,
        hint: "Commit it alone: `git commit -m 'subject' -m 'Governance: why'`",
      }))

const someIntentIsOpen: Rule = (facts, { work }) => {
  const { policy } = facts
  if (work.length === 0 || openIntents(policy).length > 0 || inheritedIntents(facts).length > 0) return []
  const next = policy.intents.find(it => it.status === 'PENDING' || it.status === 'BLOCKED')
  const add = "`kotef intent add --name 'what it is for' --scope 'src/**'`"
  return [
    {
      rule: 'intent-open',
      level: 'block',
      path: null,
      message: 'no intent is in progress, so nobody owns what is staged',
      hint: next ? `Start one: \`kotef intent start ${next.id}\`` : `Add one with ${add}, and start it.`,
    },
  ]
}

const somebodyOwnsEach: Rule = (facts, { work, judge }) => {
  const { policy, live } = facts
  const open = openIntents(policy)
  if (open.length === 0 && inheritedIntents(facts).length === 0) return []
  const orphans = work.filter(it => ownersOf(it, open, judge).length === 0 && !isInherited(it, facts, judge))
  return orphans.map(path => outside(path, { policy, judge, cited: live }))
}
