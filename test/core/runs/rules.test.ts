import { expect, test } from 'vitest'
import { decide } from '../../../src/core/runs/decide.ts'
import type { CheckEvent, RunEvent, ToolEvent } from '../../../src/core/runs/event.ts'
import { type Limits, profileTerms } from '../../../src/core/runs/limits.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { foldRun, runTerms } from '../../rig/safe-events.ts'

const TERMS = runTerms(['tests'])

const tool = (name: string, more: Partial<ToolEvent> = {}): ToolEvent => ({
  ...{ kind: 'tool', tool: name, args: {}, result: 'same' },
  ...more,
})
const failing = (result: string, more: Partial<ToolEvent> = {}) => tool('npm test', { result, exit: 1, ...more })
const check = (more: Partial<CheckEvent>): CheckEvent => ({
  ...{ kind: 'check', id: 'tests', command: 'npm test', result: 'failed', output: 'AssertionError: 1 is not 2' },
  ...more,
})
const edit = (before: string, after: string): RunEvent => ({ kind: 'edit', path: 'src/a.ts', before, after })
const step = (to: string, more = {}): RunEvent => ({ kind: 'step', from: 'planner', to, ...more })
const says = (text: string, from: 'person' | 'agent' = 'agent'): RunEvent => ({ kind: 'message', from, text })
const broken = (rule: string, isHard: boolean): RunEvent => ({
  kind: 'violation',
  rule,
  isHard,
  detail: 'src/legacy/a',
})
const times = <T>(count: number, make: (n: number) => T | T[]): T[] =>
  Array.from({ length: count }, (_, n) => make(n)).flat() as T[]
const read = tool('Read', { args: { path: 'a' }, result: 'a' })
const fail = failing('Error: x is not defined\n    at src/a.ts:3:1')
const NOISE = [
  'Error: no\n  in 12.3 ms, pid 4411, http://localhost:41233, /tmp/run-a1/x, at 2026-11-20T10:00:01Z',
  'Error: no\n  in 9 ms, pid 902, http://localhost:5021, /tmp/run-zz/x, at 2026-11-21T23:10:09Z',
]
const cycle = (rounds: number, period: number, result = (round: number) => `${round < 0}`) =>
  times(rounds, round => times(period, n => tool(`t${n}`, { result: n === 0 ? result(round) : 'r' })))

type Row = [
  what: string,
  events: RunEvent[],
  status: string,
  rule?: string | undefined,
  more?: { limits?: Partial<Limits> },
]

// The cases of nine peers, in their order.
const ROWS: Row[] = [
  ['1 two events', times(2, () => read), 'running'],
  ['2 three identical calls', times(3, () => read), 'warn', 'same-call'],
  ['3 four identical calls', times(4, () => read), 'aborted_stuck', 'same-call'],
  [
    '4 the same arguments in another order',
    times(4, n => tool('Read', { args: n % 2 ? { a: 1, b: [2] } : { b: [2], a: 1 } })),
    'aborted_stuck',
    'same-call',
  ],
  [
    '5 another remark each time',
    times(4, n => tool('Read', { args: { path: 'a', task_progress: `${n}` } })),
    'aborted_stuck',
    'same-call',
  ],
  ['6 another result each time', times(12, n => tool('Read', { result: `${n}` })), 'running'],
  ['7 nine declared polls', times(9, () => tool('sleep', { isPoll: true })), 'running'],
  ['8 ten declared polls', times(10, () => tool('sleep', { isPoll: true })), 'aborted_stuck', 'same-call'],
  ['9 five identical calls in one batch', times(5, () => tool('Read', { batch: 'b' })), 'running'],
  ['10 the same tool on twenty files', times(20, n => tool('Edit', { args: { path: `${n}` } })), 'running'],
  ['11 twelve regions of one file', times(12, n => tool('Read', { args: { path: 'a', offset: n } })), 'running'],
  ['12 the same error three times', times(3, () => fail), 'warn', 'same-error'],
  ['13 the same error four times', times(4, () => fail), 'aborted_stuck', 'same-error'],
  [
    '14 an error whose times, ids and ports differ',
    times(4, n => failing(NOISE[n % 2] ?? '')),
    'aborted_stuck',
    'same-error',
  ],
  ['15 an error that moves', times(6, n => failing(`Error: x\n at src/a.ts:${n}:1`)), 'running'],
  ['16 three errors, then recovery', [...times(3, () => fail), tool('npm test', { result: 'ok', exit: 0 })], 'running'],
  ['17 two calls in turn, three times', cycle(3, 2), 'aborted_stuck', 'cycle'],
  ['18 two calls in turn, twice', cycle(2, 2), 'running'],
  ['19 a log that grows', times(9, n => tool('tail', { result: 'x'.repeat(n) })), 'running'],
  ['20 three calls in turn', cycle(3, 3), 'aborted_stuck', 'cycle'],
  ['21 five calls in turn', cycle(3, 5), 'aborted_stuck', 'cycle'],
  ['22 five calls in turn, of which one has another result', cycle(3, 5, round => `${round}`), 'running'],
  [
    '23 another tree and another error each time',
    times(10, n => check({ tree: `t${n}`, output: `Error: e${n} is wrong` })),
    'running',
  ],
  ['24 another tree, the same error, four times', times(4, n => check({ tree: `t${n}` })), 'warn', 'same-failure'],
  [
    '25 another tree, the same error, five times',
    times(5, n => check({ tree: `t${n}` })),
    'aborted_stuck',
    'same-failure',
  ],
  [
    '26 from tree to tree and back',
    times(5, n => check({ tree: n % 2 ? 'b' : 'a' })),
    'aborted_stuck',
    'same-tree-again',
  ],
  ['27 three edits that change nothing', times(3, () => edit('a', 'a')), 'aborted_stuck', 'edits-without-change'],
  [
    '28 two edits that change nothing, then one that does',
    [...times(2, () => edit('a', 'a')), edit('a', 'b')],
    'running',
  ],
  ['29 an edge eight times without progress', times(8, () => step('coder')), 'aborted_stuck', 'edge-without-progress'],
  ['30 an edge twelve times with progress', times(12, n => [step('coder'), edit(`${n}`, `${n + 1}`)]), 'running'],
  [
    '31 red to green resets the edges',
    [fail, ...times(7, () => step('coder')), tool('npm test', { exit: 0 }), step('coder')],
    'running',
  ],
  ['32 a person says something', [...times(3, () => read), says('go on', 'person'), read], 'running'],
  [
    '33 the loop goes on after that',
    [...times(3, () => read), says('go on', 'person'), ...times(4, () => read)],
    'aborted_stuck',
    'same-call',
  ],
  ['34 another intent', [...times(3, () => read), { kind: 'intent', id: 'INT-002' }, read], 'running'],
  ['35 the provider fails six times', times(6, () => failing('HTTP 503 from the provider')), 'running'],
  ['36 the provider fails ten times', times(10, () => failing('HTTP 503 from the provider')), 'warn', 'infrastructure'],
  ['37 three timeouts', times(3, n => tool(`t${n}`, { isTimeout: true })), 'aborted_stuck', 'timeouts'],
  [
    '38 two timeouts, a call that ends, two timeouts',
    [0, 1, 2, 3, 4].map(n => tool(`t${n}`, { isTimeout: n !== 2 })),
    'running',
  ],
  ['39 a hundred steps', times(100, n => [step(`n${n}`)]), 'aborted_stuck', 'steps'],
  ['40 ninety-nine steps', times(99, n => [step(`n${n}`)]), 'running'],
  ['41 three identical messages', times(3, () => says('done')), 'aborted_stuck', 'same-message'],
  ['42 a call between messages', [says('done'), says('done'), read, says('done')], 'running'],
  ['43 a hard constraint', [broken('forbidden-path', true)], 'aborted_constraint', 'hard-constraint'],
  [
    '44 a soft constraint three times',
    times(3, () => broken('in-scope', false)),
    'aborted_constraint',
    'soft-constraint',
  ],
  [
    '45 the checks pass in the middle of a loop',
    [...times(4, () => read), check({ result: 'passed' })],
    'done_success',
    'definition-of-done',
  ],
  [
    'two soft constraints, of two kinds',
    [0, 1, 2, 3].map(n => broken(n % 2 ? 'in-scope' : 'intentignored', false)),
    'running',
  ],
  ['a limit of 0 is off', times(9, () => read), 'running', undefined, { limits: { sameCallStop: 0, sameCallWarn: 0 } }],
  [
    'a negative limit is off',
    times(9, () => read),
    'running',
    undefined,
    { limits: { sameCallStop: -1, sameCallWarn: -1 } },
  ],
  ['a warning is given when its counter moves, not again', [...times(3, () => read), step('coder')], 'running'],
  [
    'an event of another program breaks no streak',
    [...times(3, () => read), { kind: 'compaction' } as never, read],
    'aborted_stuck',
    'same-call',
  ],
  [
    'calls from before the last fifteen make no cycle',
    [...cycle(2, 2), ...times(15, n => tool(`u${n}`)), ...cycle(1, 2)],
    'running',
  ],
  [
    'two checks that are red in turn, over new trees',
    times(4, n => check({ id: `${n % 2}`, tree: `t${n}` })),
    'running',
  ],
  ['better research resets the edges', times(20, n => [step('researcher', { researchQuality: n })]), 'running'],
  [
    'research that is as good as before does not',
    times(9, () => [step('researcher', { researchQuality: 0.9 })]),
    'aborted_stuck',
    'edge-without-progress',
  ],
  [
    'a ticket that is closed resets the edges',
    [...times(7, () => step('coder')), { kind: 'ticket', id: 'T', state: 'closed' }, step('coder')],
    'running',
  ],
  [
    'a plan of six steps for a small intent',
    [{ kind: 'plan', steps: 6, next: 'coder', reason: 'r' }],
    'warn',
    'plan-too-broad',
  ],
]

test.each(ROWS)('%s', (_, events, status, rule, { limits = {} } = {}) => {
  const isSmall = rule === 'plan-too-broad'
  const terms = profileTerms(null, limits)
  const run = foldRun(startedRun({ ...TERMS, appetite: isSmall ? 'Small' : null }), events)
  const { status: found, rule: named } = decide(run, terms)
  expect({ status: found, rule: named ?? undefined }).toEqual({ status, rule })
})
