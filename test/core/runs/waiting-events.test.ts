import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEvents, type AgentRun, settle, startedAgentRun } from '../../../src/core/runs/agent-run.ts'
import type { ToolEvent } from '../../../src/core/runs/event.ts'
import type { SafeEvent } from '../../../src/core/runs/safe-event.ts'
import { safely, text as safeText } from '../../rig/safe-events.ts'
import { isCountDue, readWaiting, recentLines, waitingLine } from '../../../src/core/runs/waiting-events.ts'

const TERMS = {
  ...{ session: 's', intent: 'INT-001', checks: ['npm test'], manual: [], appetite: null, profile: null },
  ...{ limits: {}, holdsAtStop: true },
}
const started = () => startedAgentRun(TERMS, { ledgerBytes: 0, at: 0 })

/** A session whose events wait in a text, as in its file, until one is due. */
function waitingSession(run: AgentRun) {
  let text = ''
  return (event: SafeEvent): string | null => {
    const { waiting } = readWaiting(text)
    if (!isCountDue(readWaiting(text), [event])) {
      text += waitingLine({ events: [event], files: null })
      return null
    }
    for (const it of waiting) applyEvents(run, it.events, 'c0')
    const said = counted(run, event)
    text = recentLines(run.state, null)
    return said
  }
}

/** What an agent reads after an event; nothing more once the run has ended. */
function counted(run: AgentRun, event: SafeEvent): string | null {
  const hadEnded = run.state.end !== null
  applyEvents(run, [event], 'c0')
  const { status, rule } = settle(run, 1)
  return hadEnded || status === 'running' ? null : `${status} ${rule}`
}

const few = fc.constantFrom('a', 'b', 'c', '__proto__')
const call: fc.Arbitrary<SafeEvent> = fc
  .record({
    ...{ kind: fc.constant('tool' as const), tool: fc.constant('Bash'), args: few, isPoll: fc.boolean() },
    ...{ result: fc.constantFrom('x', 'y'.repeat(500)), exit: fc.constantFrom(0, 0, 0, 1, null) },
  })
  .map(it => safely<'tool'>(it))
const fewTexts = few.map(safeText)
const edit: fc.Arbitrary<SafeEvent> = fc.record({
  kind: fc.constant('edit' as const),
  path: fewTexts,
  before: fewTexts,
  after: fewTexts,
})
const refusal = fc.record({
  ...{
    kind: fc.constant('violation' as const),
    rule: fewTexts,
    isHard: fc.constantFrom(false, false, true),
    detail: fewTexts,
  },
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
    safely<'tool'>({ kind: 'tool', tool: 'Read', args: { n }, result: 'x', exit: 0, ...more })
  const kept = (...events: readonly SafeEvent[]) => readWaiting(waitingLine({ events, files: null }))

  test.each<[what: string, event: SafeEvent, isDue: boolean]>([
    ['is another call', tool(2), false],
    ['is the same call', tool(1), true],
    ['is the same call, with another result', tool(1, { result: 'y' }), true],
    ['failed', tool(2, { exit: 1 }), true],
    ['was ended by a signal', tool(2, { exit: null }), true],
    ['failed without an exit code', tool(2, { isError: true }), true],
    ['polls for the second time', tool(1, { isPoll: true }), false],
    ['changes nothing', safely<'edit'>({ kind: 'edit', path: 'a', before: 'x', after: 'x' }), true],
    ['changes something', safely<'edit'>({ kind: 'edit', path: 'a', before: 'x', after: 'y' }), false],
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
  const said = safely<'message'>({ kind: 'message', from: 'agent', text: 'done' })
  const waiting = { events: [said], files: { head: 'c0', ledgerBytes: 7 } }
  const whole = waitingLine(waiting).trimEnd()
  const damaged = [
    whole.slice(0, 20),
    '{"version":2,"events":[1],"files":null}',
    '{"version":2,"events":[],"files":{"head":1}}',
    '{"version":2,"events":[]}',
    // An earlier version kept texts.
    '{"events":[{"kind":"tool","key":"Bash {}","result":"x"}],"files":null}',
    'null',
    '{"recent":1}',
  ]
  expect(readWaiting([...damaged, whole, '{"recent":"a"}', '{"lastCheck":"1"}'].join('\n'))).toEqual({
    waiting: [waiting],
    recent: ['a'],
    lastCheck: '1',
  })
})
