import { printable } from '../base/printable.ts'
import type { Rule } from './apply-rules.ts'
import { type CommitFacts, takesBack } from './commit-facts.ts'
import { approvalHint, governanceHint } from './hints.ts'

/** The adoption gives a reason. */
export const adoptionSaysWhy: Rule<CommitFacts> = ({ governance }) =>
  governance
    ? []
    : [
        {
          rule: 'adoption',
          level: 'block',
          path: null,
          message: 'the commit that adds the registry needs the trailer `Governance:`',
          hint: "Give a reason: `git commit -m 'adopt kotef' -m 'Governance: adopt kotef'`",
        },
      ]

/** A governance commit gives a reason. */
export const governanceSaysWhy: Rule<CommitFacts> = ({ governance }) =>
  governance
    ? []
    : [
        {
          rule: 'governance-reason',
          level: 'block',
          path: null,
          message: 'the trailer `Governance:` is empty',
          hint: 'Write it as `Governance: why`',
        },
      ]

/** A governance commit has nothing else in it. */
export const onlyGovernanceChanges: Rule<CommitFacts> = (_, { work, settings, barred }) =>
  [...work.filter(it => !settings.includes(it)), ...barred.map(it => it.path)].map(path => ({
    rule: 'governance-alone',
    level: 'block',
    path,
    message: `${printable(path)} ${ALONE}`,
    hint: 'Commit it by itself, with the trailer `Intent-ID:` of the intent that owns it.',
  }))

/** A person approves what is committed beside an agent, or what an agent wrote. */
export const aPersonApproves: Rule<CommitFacts> = (
  { agents, approved, governanceByAgents = [] },
  { governanceFiles },
) => {
  if (approved) return []
  const who = [...new Set(agents)].map(it => printable(it)).join(', ')
  const why = agents.length > 0 ? `an agent works here: ${who}` : 'an agent wrote lines of this change'
  // A session that has ended still stands behind what was written in it.
  const paths = agents.length > 0 ? governanceFiles : governanceFiles.filter(it => governanceByAgents.includes(it))
  return paths.map(path => ({
    rule: 'governance-by-agent',
    level: 'block',
    path,
    message: `${printable(path)} is a governance file, and ${why}`,
    hint: approvalHint(governanceFiles),
  }))
}

/** A commit that lets a push replace a branch's history is a person's. */
export const aPersonReplaces: Rule<CommitFacts> = ({ governance, byAgent }) =>
  byAgent && REPLACES.test(governance ?? '')
    ? [
        {
          rule: 'governance-by-agent',
          level: 'block',
          path: null,
          message: 'the message lets a push replace the history of a branch, and an agent commits it',
          hint: 'Ask a person to replace it, with `request_approval`.',
        },
      ]
    : []

const REPLACES = /\breplaces\s+[0-9a-f]{7,}/i

/** What tools read as settings may be a person's work for any intent, and is never an agent's. */
export const aPersonSets: Rule<CommitFacts> = ({ byAgent, approved, governanceByAgents = [] }, { settings }) => {
  if (approved) return []
  const why = byAgent ? 'an agent commits it' : 'an agent wrote lines of this change'
  const paths = settings.filter(it => byAgent || governanceByAgents.includes(it))
  return paths.map(path => ({
    rule: 'governance-by-agent',
    level: 'block',
    path,
    message: `${printable(path)} is read by tools as their settings, and ${why}`,
    hint: approvalHint(paths),
  }))
}

const ALONE = 'is not a governance file, and a commit with `Governance:` changes nothing else'

/** A governance file is changed by a governance commit, or by one that takes such a commit back. */
export const governanceIsDeclared: Rule<CommitFacts> = (
  { changes, inherited, agents, approved },
  { governanceFiles },
) => {
  // Beside an agent the trailer alone would be refused next.
  const hint = agents.length > 0 && !approved ? approvalHint(governanceFiles) : governanceHint(governanceFiles)
  return governanceFiles
    .filter(path => !isTakenBack(path, { changes, inherited }))
    .map(path => ({
      rule: 'governance-alone',
      level: 'block',
      path,
      message: `${printable(path)} is a governance file and belongs to no intent`,
      hint,
    }))
}

/** A revert needs no reason of its own, but it may take back what narrowed a scope. */
export const aPersonTakesBack: Rule<CommitFacts> = (facts, sorted) =>
  aPersonApproves(facts, { ...sorted, governanceFiles: sorted.governanceFiles.filter(it => isTakenBack(it, facts)) })

function isTakenBack(path: string, { changes, inherited }: Pick<CommitFacts, 'changes' | 'inherited'>): boolean {
  return changes.some(it => it.path === path && takesBack(it, inherited))
}
