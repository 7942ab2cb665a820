import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { CheckSection, ContractSection } from '../../../../src/shells/ui/pages/contract-section.tsx'
import { anIntent, intentPageFacts } from '../../../rig/intent-page-facts.ts'

test('the contract has the goal, each constraint with its rule, the non-goals, and where each line stands', () => {
  const intent = anIntent({ constraints: ['Do not touch `src/legacy/**`', 'Be careful'], non_goals: ['speed'] })
  const html = renderToString(ContractSection({ facts: intentPageFacts(intent) }))
  expect(html).toContain('checked: writes to src/legacy/**')
  expect(html).toContain('advice')
  expect(html).toContain('speed')
  expect(html).toContain('href="files/.orchestration/active_intents.yaml"')
})

test('an intent says on what it depends, that it is standing, and of what kind it is', () => {
  const intent = anIntent({ depends_on: ['INT-007'], standing: true, kind: 'refactor', owned_scope: [] })
  const html = renderToString(ContractSection({ facts: intentPageFacts(intent) }))
  expect(html).toContain('href="intents/INT-007"')
  expect(html).toContain('Standing')
  expect(html).toContain('Small, refactor')
  expect(html).toContain('no path')
})

test('a check says its last result, a kept pass, and that none is recorded', () => {
  const at = '2026-03-10T11:00:00Z'
  const checks = [
    { text: 'npm test', isCommand: true, last: { status: 'failed', at, isKept: false } },
    { text: 'npm run lint', isCommand: true, last: { status: 'passed', at, isKept: true } },
    { text: 'npm run slow', isCommand: true, last: null },
    { text: 'it looks well', isCommand: false, last: null },
  ] as const
  const html = renderToString(CheckSection({ facts: intentPageFacts(anIntent(), { checks }) }))
  expect(html).toContain('result-failed')
  expect(html).toContain('on the same files as before')
  expect(html).toContain('no run recorded')
  expect(html).toContain('not attested')
  expect(html).toContain('1 h ago')
})

test('an intent without a check says that nothing tells when it is done', () => {
  expect(renderToString(CheckSection({ facts: intentPageFacts(anIntent()) }))).toContain('The intent has no check')
})
