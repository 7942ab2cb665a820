import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEvents, type AgentRun, settle, startedAgentRun } from '../../../src/runs/agent-run.ts'
import type { EditEvent, RunEvent, ToolEvent } from '../../../src/runs/event.ts'
import { isCountDue, readWaiting, recentLines, waitingCall } from '../../../src/runs/waiting-events.ts'

const TERMS = {
  ...{ session: 's', intent: 'INT-001', checks: ['npm test'], manual: [], appetite: null, profile: null },
  ...{ limits: {}, holdsAtStop: true },
}
const started = () => startedAgentRun(TERMS, { ledgerBytes: 0, at: 0 })

/** A session whose events wait in a text, as in its file, until one is due. */
function waitingSession(run: AgentRun) {
  let text = ''
  return (event: RunEvent): string | null => {
    const { waiting } = readWaiting(text)
    if (!isCountDue(readWaiting(text), [event])) {
      text += `${JSON.stringify({ events: [event], files: null })}\n`
      return null
    }
    for (const it of waiting) applyEvents(run, it.events, 'c0')
    const said = counted(run, event)
    text = recentLines(run.state, null)
    return said
  }
}

/** What an agent reads after an event; nothing more once the run has ended. */
function counted(run: AgentRun, event: RunEvent): string | null {
  const hadEnded = run.state.end !== null
  applyEvents(run, [event], 'c0')
  const { status, rule } = settle(run, 1)
  return hadEnded || status === 'running' ? null : `${status} ${rule}`
}

const few = fc.constantFrom('a', 'b', 'c', '__proto__')
const call: fc.Arbitrary<ToolEvent> = fc
  .record({
    ...{ kind: fc.constant('tool' as const), tool: fc.constant('Bash'), args: few, isPoll: fc.boolean() },
    ...{ result: fc.constantFrom('x', 'y'.repeat(500)), exit: fc.constantFrom(0, 0, 0, 1, null) },
  })
  .map(waitingCall)
const edit: fc.Arbitrary<EditEvent> = fc.record({
  kind: fc.constant('edit' as const),
  path: few,
  before: few,
  after: few,
})
const refusal = fc.record({
  ...{ kind: fc.constant('violation' as const), rule: few, isHard: fc.constant(false), detail: few },
})

test('what waits changes no warning and no end: they come at the same event as when each is counted at once', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(call, call, edit, refusal), { maxLength: 80 }), events => {
      const [late, atOnce] = [waitingSession(started()), started()]
      expect(events.map(it => late(it))).toEqual(events.map(it => counted(atOnce, it)))
    }),
    { numRuns: 2_000 },
  )
})

describe('an event that', () => {
  const tool = (n: number, more: Partial<ToolEvent> = {}) =>
    waitingCall({ kind: 'tool', tool: 'Read', args: { n }, result: 'x', exit: 0, ...more })
  const kept = (...events: readonly RunEvent[]) => readWaiting(`${JSON.stringify({ events, files: null })}\n`)

  test.each<[what: string, event: RunEvent, isDue: boolean]>([
    ['is another call', tool(2), false],
    ['is the same call', tool(1), true],
    ['is the same call, with another result', tool(1, { result: 'y' }), true],
    ['failed', tool(2, { exit: 1 }), true],
    ['was ended by a signal', tool(2, { exit: null }), true],
    ['failed without an exit code', tool(2, { isError: true }), true],
    ['polls for the second time', tool(1, { isPoll: true }), false],
    ['changes nothing', { kind: 'edit', path: 'a', before: 'x', after: 'x' }, true],
    ['changes something', { kind: 'edit', path: 'a', before: 'x', after: 'y' }, false],
  ])('%s', (_, event, isDue) => {
    expect(isCountDue(kept(tool(1)), [event])).toBe(isDue)
  })

  test('waits is counted with the twentieth', () => {
    const waiting = Array.from({ length: 20 }, (_, n) => ({ events: [tool(n + 2)], files: null }))
    expect(isCountDue({ waiting: waiting.slice(1), recent: [] }, [tool(1)])).toBe(false)
    expect(isCountDue({ waiting, recent: [] }, [tool(1)])).toBe(true)
  })
})

test('a damaged line of a file counts for nothing', () => {
  const whole = JSON.stringify({ events: [{ kind: 'message' }], files: { head: 'c0', ledgerBytes: 7 } })
  const damaged = [
    whole.slice(0, 20),
    '{"events":[1],"files":null}',
    '{"events":[],"files":{"head":1}}',
    '{"events":[]}',
    'null',
    '{"recent":1}',
  ]
  expect(readWaiting([...damaged, whole, '{"recent":"a"}', '{"lastCheck":"1"}'].join('\n'))).toEqual({
    waiting: [JSON.parse(whole)],
    recent: ['a'],
    lastCheck: '1',
  })
})
