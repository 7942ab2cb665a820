import { expect, test } from 'vitest'
import type { HandoverProblem } from '../../../src/core/handover/handover-problem.ts'
import type { RoleBreach } from '../../../src/core/handover/port.ts'
import type { StagedFacts } from '../../../src/core/rules/commit-facts.ts'
import { applyRules } from '../../../src/core/rules/apply-rules.ts'
import { rolesWriteWhatTheyMay, sessionsKeepTheContract } from '../../../src/core/rules/handover-findings.ts'
import { calmFacts, changesOf, policy } from './commit-world.ts'

const SESSION = '2026-01-31_refunds'
const breachOf = (path: string, by: string | null = 's-1'): RoleBreach => ({
  path,
  writer: { role: 'Orchestrator', session: SESSION, by },
  why: `a Orchestrator writes only below .agents-work/${SESSION}/`,
})

/** The findings of a commit of a path that a role wrote. */
function judged(path: string, more: Partial<StagedFacts> = {}) {
  return applyRules({ ...calmFacts, changes: changesOf([path]), roleBreaches: [breachOf(path)], ...more }, [
    rolesWriteWhatTheyMay,
  ])
}

test('what a role may not write stops the commit, and names role, session and a command', () => {
  expect(judged('src/a.ts')).toEqual([
    {
      rule: 'handover-role',
      level: 'block',
      path: 'src/a.ts',
      message:
        `src/a.ts was written by the Orchestrator of ${SESSION} (session s-1): ` +
        `a Orchestrator writes only below .agents-work/${SESSION}/`,
      hint: 'Unstage it: `git restore --staged src/a.ts`',
    },
  ])
  const [{ message } = { message: '' }] = judged('src/a.ts', { roleBreaches: [breachOf('src/a.ts', null)] })
  expect(message).toContain(`the Orchestrator of ${SESSION}: a Orchestrator`)
})

const WARN = { enforce: 'block', rules: { 'handover-role': 'warn' } } as const

const inherited = (path: string, oid: string): StagedFacts['inherited'] => {
  const changes = [{ path, before: null, after: { mode: '100644', oid } }]
  return [{ intents: ['INT-001'], parent: null, changes }]
}

test.each<[title: string, path: string, more: Partial<StagedFacts>, level: string | null]>([
  ['a file of a session', `.agents-work/${SESSION}/notes.md`, {}, 'block'],
  ['a file that goes with any intent', 'lock', { policy: { ...policy, rides: ['lock'] } }, 'block'],
  ['a governance file, which has rules of its own', '.husky/pre-commit', {}, null],
  ['the registry', '.orchestration/active_intents.yaml', { onlyTransitions: true }, null],
  ['a file that kotef writes into', '.orchestration/AGENT.md', {}, null],
  ['what a picked commit has', 'src/a.ts', { inherited: inherited('src/a.ts', '0'.repeat(40)) }, 'review'],
  [
    'what a picked commit has in another form',
    'src/a.ts',
    { inherited: inherited('src/a.ts', '1'.repeat(40)) },
    'block',
  ],
  ['what a picked commit does not have', 'src/a.ts', { inherited: inherited('src/b.ts', '0'.repeat(40)) }, 'block'],
  ['what git replays', 'src/a.ts', { replaying: true }, 'review'],
  ['what the config only warns of', 'src/a.ts', { policy: { ...policy, enforcements: WARN } }, 'warn'],
  ['what a merge settles', 'src/a.ts', { conflicted: ['src/a.ts'] }, 'review'],
  ['nothing', 'src/a.ts', { roleBreaches: [] }, null],
])('%s', (_, path, more, level) => {
  expect(judged(path, more)[0]?.level ?? null).toBe(level)
})

test('a problem of a session names its place, and is for review in what a commit repeats', () => {
  const place = { file: `.agents-work/${SESSION}/status.json`, line: 3, pointer: 'mode' }
  const problem: HandoverProblem = { rule: 'handover-format', ...place, expected: 'lean', found: 'big\n' }
  const findingOf = (more: Partial<StagedFacts>) =>
    applyRules({ ...calmFacts, changes: changesOf([problem.file]), handover: [problem], ...more }, [
      sessionsKeepTheContract,
    ])
  expect(findingOf({})).toEqual([
    {
      ...{ rule: 'handover-format', level: 'block', path: problem.file },
      message: `${problem.file}:3 (mode): expected lean, found "big\\n"`,
      hint: `See all problems of the session: \`kotef handover check ${SESSION}\``,
    },
  ])
  expect(findingOf({ inherited: inherited('src/a.ts', '0'.repeat(40)) })[0]?.level).toBe('review')
  expect(findingOf({ handover: [{ ...problem, rule: 'handover-stale' }] })[0]?.level).toBe('review')
})
