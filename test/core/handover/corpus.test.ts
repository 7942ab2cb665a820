import { expect, test } from 'vitest'
import { checkHandoverChange } from '../../../src/handover/check-change.ts'
import { checkHandover } from '../../../src/handover/check-session.ts'
import type { SessionFiles } from '../../../src/handover/handover-session.ts'
import { illegalChanges } from '../../rig/handover/corpus.ts'
import type { CorpusRow } from '../../rig/handover/corpus-rows.ts'
import { legalChanges } from '../../rig/handover/legal-changes.ts'

const judged = ({ before, after, role }: CorpusRow) => [
  ...checkHandover(after),
  ...checkHandoverChange({ before, after, role: role ?? null }),
]
const problemsAtFirst = (after: SessionFiles) => judged({ title: '', before: null, after })

test.each(illegalChanges.map(it => [it.title, it] as const))('refused: %s', (_, row) => {
  if (row.before) expect(problemsAtFirst(row.before).filter(it => it.rule !== row.rule)).toEqual([])
  expect(judged(row).map(it => it.rule)).toContain(row.rule)
})

test.each(legalChanges.map(it => [it.title, it] as const))('passes: %s', (_, row) => {
  if (row.before) expect(problemsAtFirst(row.before)).toEqual([])
  expect(judged(row)).toEqual([])
})

test('there are enough of both', () => {
  expect(illegalChanges.length).toBeGreaterThanOrEqual(80)
  expect(legalChanges.length).toBeGreaterThanOrEqual(40)
})
