import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { HandoverFacts } from '../../../../src/shells/ui/pages/handover-facts.ts'
import { HandoverHistory, HandoverQuestions } from '../../../../src/shells/ui/pages/handover-history.tsx'
import { HandoverPage } from '../../../../src/shells/ui/pages/handover-page.tsx'
import { HandoversPage } from '../../../../src/shells/ui/pages/handovers-page.tsx'
import { HandoverTasks } from '../../../../src/shells/ui/pages/handover-tasks.tsx'

const now = Date.UTC(2026, 2, 10, 12)
const HOSTILE = '<script>alert(1)</script>\u001b[2J\u202e'
const asked = { askedAt: '2026-03-10T10:00:00Z', isSecurity: false }

const facts: HandoverFacts = {
  now,
  status: {
    ...{ session: '2026-03-01_refunds', state: 'IMPLEMENT_LOOP', mode: 'full', blocker: HOSTILE, design: 'void' },
    tasks: [
      { id: 'T-001', status: 'implemented', goal: HOSTILE, gates: ['Reviewer: nothing submitted', 'QA: OK'] },
      { id: 'T-002', status: 'completed', goal: 'done', gates: [] },
    ],
    ...{ pending: [], retries: { 'T-001': { FIX_TESTS: 2 } }, next: ['INTEGRATE'], correction: 'queued' },
    stale: [{ artifact: 'architecture.md', changed: ['spec.md'] }],
    missing: [{ file: 'report.md', pointer: null, expected: 'a report', found: 'none' }],
    problems: [
      { rule: 'handover-task', file: HOSTILE, line: 3, pointer: null, expected: 'not-started', found: 'completed' },
    ],
  },
  ways: [
    { to: 'INTEGRATE', needs: 'every task completed' },
    { to: 'FIX_TESTS', needs: null },
  ],
  decisions: [
    { id: 'UD-1', question: HOSTILE, status: 'pending', answer: null, reason: null, resolvedAt: null, ...asked },
    {
      ...{ id: 'UD-2', question: 'which?', status: 'answered', answer: 'the blue one', reason: null },
      ...{ ...asked, resolvedAt: '2026-03-10T11:00:00Z', isSecurity: true },
    },
  ],
  history: [{ at: '2026-03-10T11:00:00Z', what: 'committed', text: HOSTILE, commit: 'c'.repeat(40) }],
  ...{ older: 4, assumptions: [HOSTILE], knownIssues: [] },
}

const text = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/ +/g, ' ')

test('the page of a session has its state, the ways on, tasks, questions and what is missing', () => {
  const page = text(renderToString(<HandoverPage {...facts} />))
  for (const it of [
    ...['2026-03-01_refunds', 'IMPLEMENT_LOOP', 'every task completed', 'nothing more', 'a report'],
    ...['the design was approved, and changed since', 'corrections of the design are queued'],
    ...['T-001 FIX_TESTS 2', 'architecture.md is of an earlier version of spec.md', 'expected not-started'],
  ])
    expect(page, it).toContain(it)
})

test('text of the session is text', () => {
  const page = renderToString(<HandoverPage {...facts} />)
  expect(page).not.toContain('<script>')
  expect(page).not.toContain('\u001b')
  expect(page).not.toContain('\u202e')
})

test('a task has its open gates, and completed tasks have a list of their own', () => {
  const page = text(renderToString(<HandoverTasks tasks={facts.status.tasks} />))
  expect(page).toContain('Reviewer: nothing submitted QA: OK')
  expect(page.split('T-002')).toHaveLength(3)
})

test('open questions are apart from the decisions that were made', () => {
  const page = text(
    renderToString(<HandoverQuestions decisions={facts.decisions} now={now} session="2026-01-31_shop" />),
  )
  const [open = '', made = ''] = page.split('Decisions', 2)
  expect(open).toContain('UD-1')
  expect(open).toContain('npx kotef-watch handover answer --session 2026-01-31_shop')
  expect(open).not.toContain('UD-2')
  expect(made).toBeDefined()
  expect(page).toContain('UD-2 security which? answered the blue one 1 h ago')
})

test('an event that is a commit leads to it', () => {
  const html = renderToString(<HandoverHistory history={facts.history} older={facts.older} now={now} />)
  expect(html).toContain(`href="ranges/${'c'.repeat(40)}%5E!"`)
  expect(html).toContain('and 4 older commits')
})

test('each number of the list of sessions leads to its list on the page of the session', () => {
  const row = { session: '2026-03-01_a b', mode: 'lean', state: null, tasks: 3, completed: 1 }
  const html = renderToString(<HandoversPage sessions={[{ ...row, pending: 2, missing: 4, problems: 5 }]} />)
  for (const it of ['tasks', 'completed-tasks', 'open-questions', 'what-is-missing', 'problems'])
    expect(html, it).toContain(`href="handover/2026-03-01_a%20b#s-${it}"`)
  const page = renderToString(<HandoverPage {...facts} />)
  for (const [, id = ''] of html.matchAll(/#(s-[a-z-]+)"/g)) expect(page, id).toContain(`id="${id}"`)
})
