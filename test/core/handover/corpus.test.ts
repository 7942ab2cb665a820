import { expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import { checkHandoverChange } from '../../../src/core/handover/check-change.ts'
import { checkHandover } from '../../../src/core/handover/check-session.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { illegalChanges } from '../../rig/handover/corpus.ts'
import { illegalCompletions, legalCompletions, SOURCE } from '../../rig/handover/illegal-completions.ts'
import { gatesIn } from '../../rig/handover/answers.ts'
import type { CorpusRow } from '../../rig/handover/corpus-rows.ts'
import { legalChanges } from '../../rig/handover/legal-changes.ts'

const idsOf = (path: string): string[] => [path === SOURCE.path ? blobOid(Buffer.from(SOURCE.now)) : 'none']
const judged = ({ before, after, role }: CorpusRow) => [
  ...checkHandover(after),
  ...checkHandoverChange({ before, after, role: role ?? null, gates: { ...gatesIn(after), idsOf } }),
]
const problemsAtFirst = (after: SessionFiles) => judged({ title: '', before: null, after })

test.each([...illegalChanges, ...illegalCompletions].map(it => [it.title, it] as const))('refused: %s', (_, row) => {
  if (row.before) expect(problemsAtFirst(row.before).filter(it => it.rule !== row.rule)).toEqual([])
  expect(judged(row).map(it => it.rule)).toContain(row.rule)
})

test.each([...legalChanges, ...legalCompletions].map(it => [it.title, it] as const))('passes: %s', (_, row) => {
  if (row.before) expect(problemsAtFirst(row.before)).toEqual([])
  expect(judged(row)).toEqual([])
})

test('there are enough of both', () => {
  expect(illegalChanges.length).toBeGreaterThanOrEqual(80)
  expect(legalChanges.length).toBeGreaterThanOrEqual(40)
})
