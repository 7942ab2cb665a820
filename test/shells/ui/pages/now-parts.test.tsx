import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { NowFacts, RunNow } from '../../../../src/shells/ui/pages/now-facts.ts'
import { TreeTiles } from '../../../../src/shells/ui/pages/now-tree.tsx'
import { RunsNow, WaitingNow } from '../../../../src/shells/ui/pages/now-waiting.tsx'

const at = '2026-03-10T11:00:00Z'
const facts: NowFacts = {
  ...{ now: Date.parse('2026-03-10T12:00:00Z'), intents: [], latest: [], offset: 0, problems: [] },
  ...{ runs: [], stopped: [], requests: [], decisions: [], counts: { records: 12_000, violations: 0 } },
  tree: { branch: 'feature/<b>', head: 'abcdef123456', watchedSince: at, changes: [] },
}
const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

const change = (isOutside: boolean, isUntraced: boolean) =>
  ({ path: 'a', kind: 'dirty', owners: [], isOutside, isUntraced }) as const

test('each tile has its number, and the address of its list', () => {
  const tree = { ...facts.tree, changes: [change(true, false), change(true, true), change(false, false)] }
  const html = renderToString(<TreeTiles facts={{ ...facts, tree }} />)
  expect(html).toContain('href="changes" aria-label="3 changed files"')
  expect(html).toContain('href="changes?state=outside" aria-label="2 changed files out of scope"')
  expect(html).toContain('href="changes?state=untraced" aria-label="1 changed files without a record"')
  expect(html).toContain('href="records?event=violation" aria-label="0 violations"')
  expect(html).toContain('12,000')
  expect(textOf(html)).toContain('feature/&lt;b> abcdef12 Watcher On since 1 h ago')
})

test('a worktree without a daemon, a branch and a commit says so', () => {
  const html = renderToString(
    <TreeTiles facts={{ ...facts, tree: { branch: null, head: null, watchedSince: null, changes: [] } }} />,
  )
  expect(textOf(html)).toContain('Branch detached Watcher Not running')
})

test('requests and decisions have the command that answers them', () => {
  const request = {
    id: 'r',
    at,
    session: 's',
    agent: 'claude',
    intent: 'INT-001',
    reason: 'needed <b>',
    command: 'kotef approve r',
  }
  const requests = [{ ...request, kind: 'scope', wants: ['lib/**', 'a b'] } as const]
  const decisions = [
    { handover: 'shop', id: 'UD-1', question: 'Which?', at, command: "kotef handover answer --session 'a shop'" },
  ]
  const text = textOf(renderToString(<WaitingNow facts={{ ...facts, requests, decisions }} />))
  expect(text).toContain(
    'claude s INT-001 more scope: lib/** , a b needed &lt;b> npx kotef-watch approve r Copy 1 h ago',
  )
  expect(text).toContain("shop UD-1: Which? npx kotef-watch handover answer --session 'a shop' Copy 1 h ago")
  expect(textOf(renderToString(<WaitingNow facts={facts} />))).toContain('Nothing waits for you.')
})

test('an agent that was stopped is the first row, with its reason, the way on and the command that shows more', () => {
  const stopped = {
    ...{ session: 'c1a0de00-1', agent: 'claude', intent: 'INT-001', status: 'aborted_stuck', rule: 'same-error' },
    ...{ evidence: 'Bash: <b> failed 4 times', at, isLive: true },
  }
  const decisions = [{ handover: 'shop', id: 'UD-1', question: 'Which?', at, command: 'kotef x' }]
  const waiting = { ...facts, stopped: [stopped], decisions }
  const text = textOf(renderToString(<WaitingNow facts={waiting} />))
  expect(text).toMatch(/Since claude c1a0de00 INT-001 stopped Bash: &lt;b> failed 4 times \(same-error\) Write to it/)
  expect(text).toMatch(/begins a new run\. npx kotef-watch runs show c1a0de00 Copy 1 h ago shop UD-1/)
  expect(renderToString(<TreeTiles facts={waiting} />)).toContain('aria-label="2 things that wait for you"')
})

test('a run has its counters and checks, and a stopped one its reason', () => {
  const run: RunNow = {
    ...{ session: 's1', intent: 'INT-001', status: 'aborted_stuck', why: 'same error', since: at },
    ...{ counters: [['steps', 7]], checks: [{ id: 'make test', result: 'failed' }] },
  }
  const html = renderToString(<RunsNow facts={{ ...facts, runs: [run] }} />)
  expect(textOf(html)).toContain('aborted stuck 1 h ago steps : 7 make test : failed')
  expect(html).toContain('title="same error"')
})
