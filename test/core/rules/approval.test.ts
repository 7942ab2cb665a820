import { describe, expect, test } from 'vitest'
import type { PathChange } from '../../../src/core/git/changes.ts'
import { seal } from '../../../src/core/ledger/seal.ts'
import {
  type Approval,
  approvalOf,
  formatApprovals,
  governanceFilesIn,
  isApproved,
  isApprovedAnywhere,
  parseApprovals,
  recordedApprovals,
} from '../../../src/core/rules/approval.ts'
import { judgeCommit } from '../../../src/core/rules/judge-commit.ts'
import { calmFacts, changesOf } from './commit-world.ts'

const end = (oid: string | null) => (oid === null ? null : { mode: '100644', oid })
const change = (before: string | null, after: string | null, path = 'p'): PathChange => {
  return { path, before: end(before), after: end(after) }
}
const approval = (head: string | null, ...changes: PathChange[]): Approval => ({
  ...{ head, at: 't', changes },
  person: 'proved',
})

test('of every small change, only the very one that was approved is, and only on top of the same commit', () => {
  const oids = [null, 'x', 'y']
  const all = oids.flatMap(before => oids.flatMap(after => ['p', 'q'].map(path => change(before, after, path))))
  for (const approved of all)
    for (const asked of all)
      for (const head of [null, 'h', 'other']) {
        const approvals = [approval('elsewhere'), approval('h', approved)]
        const isSame = asked === approved
        expect(isApproved(asked, head, approvals)).toBe(isSame && head === 'h')
        const hasSameEnd = asked.path === approved.path && asked.after?.oid === approved.after?.oid
        expect(isApprovedAnywhere(asked, approvals)).toBe(hasSameEnd)
      }
})

test('another mode is another change', () => {
  const executable = { ...change('x', 'y'), after: { mode: '100755', oid: 'y' } }
  expect(isApproved(executable, 'h', [approval('h', change('x', 'y'))])).toBe(false)
})

test('only governance files need an approval', () => {
  const changes = changesOf(['src/a', '.husky/x', '.orchestration/AGENT.md', 'vendor/v'])
  expect(governanceFilesIn({ ...calmFacts, changes }).map(it => it.path)).toEqual(['.husky/x'])
})

test('approvals read back as they were written, the newest twenty of them', () => {
  const all = Array.from({ length: 22 }, (_, n) => approval(n === 21 ? null : `h${n}`, change(null, 'x')))
  expect(parseApprovals(formatApprovals(all))).toEqual(all.slice(2))
})

test('of approvals, the one that proves a person counts', () => {
  const [it, other] = [change('x', 'y'), change('y', 'z')]
  const unproved = { ...approval('h', it), person: 'unproved' } as const
  expect(approvalOf(it, 'h', [unproved])).toBe('unproved')
  expect(approvalOf(it, 'h', [unproved, approval('h', it)])).toBe('proved')
  expect(approvalOf(other, 'h', [unproved, approval('h', it)])).toBeNull()
})

test('an older approval has no proof, and another word is none', () => {
  const text = formatApprovals([approval('h', change('x', 'y'))])
  for (const field of ['', ',"person":"yes"'])
    expect(parseApprovals(text.replace(',"person":"proved"', field))).toMatchObject([{ person: 'unproved' }])
})

describe('a saved approval', () => {
  const saved = approval('h', change('x', 'y'))
  const stamp = { id: 'i', timestamp: 't', revision: null, version: '1', writer: 'w', seq: 1, prev: null }
  const lineOf = (head: string, oid: string, person: 'proved' | 'unproved' = 'proved') =>
    seal({ event: { event: 'approved', parent: head, changes: [change('x', oid)], person } }, stamp).line

  test('counts as far as a record of the ledger has it, with the proof of the record', () => {
    const recorded = lineOf('h', 'y', 'unproved')
    expect(recordedApprovals([saved], `cut off\n${recorded}\n`)).toMatchObject([{ head: 'h', person: 'unproved' }])
  })

  test.each([
    ['no record', ''],
    ['a record of another change', lineOf('h', 'z')],
    ['a record on another commit', lineOf('other', 'y')],
    ['a record that was edited', lineOf('h', 'z').replaceAll('"z"', '"y"')],
    ['a record that was made by hand', lineOf('h', 'y').replace(/"hash":"\w+"/, '"hash":""')],
  ])('approves nothing with %s', (_, ledger) => {
    expect(recordedApprovals([saved], ledger)).toEqual([])
  })

  test('is no more than the ledger alone', () => {
    expect(recordedApprovals([], lineOf('h', 'y'))).toEqual([])
  })
})

test.each([
  ['no JSON', 'x'],
  ['no object', '[]'],
  ['of another version', JSON.stringify({ version: 2, approvals: [approval(null)] })],
  ['without a list', JSON.stringify({ version: 1, approvals: {} })],
  ['with a damaged approval', JSON.stringify({ version: 1, approvals: [null, 5, {}, { head: 5, changes: [] }] })],
  ['with a damaged change', approvalsWith({ path: 'p', before: null })],
  ['with a damaged end', approvalsWith({ path: 'p', before: null, after: { mode: 5, oid: 'x' } })],
  ['with a change that is no object', approvalsWith(null)],
])('in a file %s nothing is approved', (_, text) => {
  expect(parseApprovals(text)).toEqual([])
})

function approvalsWith(damaged: unknown): string {
  return JSON.stringify({ version: 1, approvals: [{ head: null, at: 't', changes: [damaged] }] })
}

test('beside an agent the way out of a missing reason begins with the approval, which would be asked for next', () => {
  const facts = { ...calmFacts, cited: [], changes: changesOf(['.husky/x']) }
  const hintFor = (more: object) => judgeCommit({ ...facts, ...more }).map(it => it.hint)
  expect(hintFor({ agents: ['claude'] })).toEqual([expect.stringContaining('kotef approve && git commit')])
  expect(hintFor({ agents: ['claude'], approved: true })).toEqual([expect.stringMatching(/^Commit it alone/)])
  expect(hintFor({})).toEqual([expect.stringMatching(/^Commit it alone/)])
})
