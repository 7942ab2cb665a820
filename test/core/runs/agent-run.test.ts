import { describe, expect, test } from 'vitest'
import {
  applyEvents,
  type AgentRun,
  type AgentRunTerms,
  endWithSession,
  followLedger,
  readAgentRun,
  settle,
  startedAgentRun,
} from '../../../src/core/runs/agent-run.ts'
import { fingerprint } from '../../../src/core/outgoing/safe-text.ts'
import { errorSignature } from '../../../src/core/runs/error-signature.ts'
import { treeName } from '../../../src/core/runs/followed-tree.ts'
import { answerStop, beginTurn } from '../../../src/core/runs/stop-request.ts'
import { safely } from '../../rig/safe-events.ts'

const HEAD = 'c0'
const TERMS: AgentRunTerms = {
  ...{ session: 's', intent: 'INT-001', checks: ['npm test'], manual: [], appetite: null, profile: null },
  ...{ limits: {}, holdsAtStop: true },
}

function started(terms: Partial<AgentRunTerms> = {}): AgentRun {
  const run = startedAgentRun({ ...TERMS, ...terms }, { ledgerBytes: 0, at: 0 })
  return { ...run, turn: { ...run.turn, tree: treeName(run.tree, HEAD) } }
}

const record = (own: object, files: readonly object[] = []) => JSON.stringify({ files, metadata: { 'dev.kotef': own } })
const write = (path: string, after: string | null, from?: string) =>
  record({ event: 'write' }, [{ path, kotef: { after, ...(from === undefined ? {} : { from }) } }])
const check = (status: string, more: object = {}) =>
  record({ event: 'check-run', intent: 'INT-001', command: 'npm test', exit: null, timed_out: false, status, ...more })

let bytes = 0
function follow(run: AgentRun, ...lines: readonly string[]): AgentRun {
  followLedger(run, { text: `${lines.join('\n')}\n`, ledgerBytes: ++bytes }, HEAD)
  return run
}

const failing = (n: number) =>
  safely<'tool'>({
    kind: 'tool',
    tool: 'Bash',
    args: { command: 'make' },
    result: `no${'!'.repeat(n)}`,
    exit: 1,
  })

describe('a check that the agent runs itself', () => {
  const typedChecks = { [fingerprint('npm test', 'salt')]: 'npm test' }
  const typed = (line: string, exit: number, result = 'no') =>
    safely<'tool'>({ kind: 'tool', tool: 'Bash', args: { command: line }, result, exit, line, does: 'test' })

  test('says of its failure what the output has: the exit code and the class of the error', () => {
    const run = follow(started({ typedChecks }), write('a', '1'))
    applyEvents(run, [typed('npm test', 2, 'TypeError: secret')], HEAD)
    expect(run.state.lastTest).toEqual({
      what: 'check npm test',
      ended: expect.stringMatching(/^exit 2, TypeError, signature [0-9a-f]+$/),
    })
  })

  test('is that check, counts against the budget, and is a step', () => {
    const run = follow(started({ typedChecks }), write('a', '1'))
    applyEvents(run, [typed('npm test', 1), typed('npm run other', 0), typed(' npm test ', 0)], HEAD)
    expect(run.state.checks).toMatchObject([{ id: 'npm test', result: 'passed' }])
    expect([run.state.totalSteps, run.state.spent.test]).toEqual([3, 3])
    expect(settle(run, 1).status).toBe('done_success')
  })

  test('fails with the signature that the ledger has for it', () => {
    const run = follow(started({ typedChecks }), write('a', '1'))
    applyEvents(run, [typed('npm test', 1)], HEAD)
    follow(run, write('a', '2'), check('failed', { signature: errorSignature('npm test', 'no', 'salt') }))
    expect(Object.values(run.state.failures)).toMatchObject([{ count: 2 }])
  })

  test('is none without a fingerprint of the registry, and with an error of the network', () => {
    const run = follow(started(), write('a', '1'))
    applyEvents(run, [typed('npm test', 0)], HEAD)
    const offline = follow(started({ typedChecks }), write('a', '1'))
    applyEvents(offline, [typed('npm test', 1, 'getaddrinfo ENOTFOUND registry.npmjs.org')], HEAD)
    expect([run.state.checks, offline.state.checks]).toEqual([[], []])
  })
})

test('a session that is over ends its run, and one that had ended keeps its end', () => {
  const open = follow(started(), write('a', '1'))
  expect(endWithSession(open, 7)).toEqual({
    status: 'done_partial',
    rule: 'session-over',
    evidence: 'The session is over, and 1 of its 1 checks have not passed on these files: npm test',
    at: 7,
  })
  expect(endWithSession(open, 9).at).toBe(7)
  expect(endWithSession(follow(started(), write('a', '1'), check('passed')), 7).status).toBe('done_success')
  expect(endWithSession(started({ checks: [] }), 7).evidence).toBe('The session is over')
})

describe('what the ledger says', () => {
  test('a check that passes on changed files ends the run, on those that it began with it does not', () => {
    expect(settle(follow(started(), check('passed')), 1)).toMatchObject({ status: 'running' })
    expect(settle(follow(started(), write('a', '1'), check('passed')), 1)).toMatchObject({ status: 'done_success' })
    expect(settle(follow(started(), write('a', '1'), check('passed'), write('a', '2')), 1).status).toBe('running')
  })

  test.each(['failed', 'timeout', 'error', 'stale'])('a check that is %s does not', status => {
    expect(settle(follow(started(), write('a', '1'), check(status)), 1).status).toBe('running')
  })

  test('nor does one of another intent, or one that is not of this run', () => {
    const other = check('passed', { intent: 'INT-002' })
    expect(settle(follow(started(), write('a', '1'), other, check('passed', { command: 'true' })), 1).status).toBe(
      'running',
    )
  })

  test('an older record of a check is read by its exit code', () => {
    const { status: _, ...old } = {
      status: '',
      event: 'check-run',
      intent: 'INT-001',
      command: 'npm test',
      exit: 0,
      timed_out: false,
    }
    expect(settle(follow(started(), write('a', '1'), record(old)), 1).status).toBe('done_success')
  })

  test('the same check that fails for the same reason on five trees stops the run, a command only warns', () => {
    const run = started()
    for (let n = 0; n < 5; n++) follow(run, write('a', `${n}`), check('failed', { signature: 'x' }))
    expect(settle(run, 1)).toMatchObject({ status: 'aborted_stuck', rule: 'same-failure' })
    const other = started()
    for (let n = 0; n < 9; n++) applyEvents(follow(other, write('a', `${n}`)), [failing(0)], HEAD)
    expect(settle(other, 1)).toMatchObject({ status: 'warn', rule: 'same-failure' })
  })

  test('a rename is a removal and a new file', () => {
    expect(follow(started(), write('b', '1', 'a')).tree.paths).toEqual({ a: null, b: '1' })
  })

  test.each(['', '{', '[]', '{"metadata":{}}', '{"metadata":{"dev.kotef":{"event":"write"}},"files":[1,{"path":2}]}'])(
    'a line that is no record changes nothing: %s',
    line => {
      expect(follow(started(), line)).toMatchObject({ tree: { paths: {} }, state: { checks: [] } })
    },
  )
})

describe('a run', () => {
  test('with a criterion for a person is done in part', () => {
    const run = follow(started({ manual: ['it looks right'] }), write('a', '1'), check('passed'))
    expect(settle(run, 1)).toMatchObject({ status: 'done_partial', evidence: expect.stringMatching(/for a person/) })
  })

  test('that was stopped begins again when a person answers a request of its session', () => {
    const run = started()
    applyEvents(run, [failing(0), failing(0), failing(0), failing(0)], HEAD)
    settle(run, 1)
    expect(follow(run, record({ event: 'granted', session: 'other' })).state.end).not.toBeNull()
    expect(follow(run, record({ event: 'granted', session: 's' })).state).toMatchObject({ end: null, sameError: null })
  })

  test('ends once: the first end stays', () => {
    const run = follow(started(), write('a', '1'), check('passed'))
    const first = settle(run, 1)
    applyEvents(run, [failing(0), failing(0), failing(0), failing(0)], HEAD)
    expect(settle(run, 2)).toEqual(first)
  })

  test('survives its file, and a damaged one is none', () => {
    const run = follow(started(), write('a', '1'))
    expect(readAgentRun(JSON.stringify(run))).toEqual(run)
    const broken = [
      { ...run, version: 3 },
      { ...run, tree: {} },
      { ...run, terms: {} },
      { ...run, state: {} },
      { ...run, turn: 1 },
      [],
      null,
    ]
    expect(broken.map(it => readAgentRun(JSON.stringify(it)))).toEqual(broken.map(() => null))
    expect(readAgentRun('{"version":1')).toBeNull()
  })

  test('of version 1 is read without its texts: it stays stopped, and counts again', () => {
    const end = { status: 'aborted_stuck', rule: 'same-call', evidence: 'Bash {"command":"hunter2"} …', at: 7 }
    const state = { totalSteps: 3, startedAt: 5, end, sameCall: { key: 'hunter2' }, timeline: [{ what: 'hunter2' }] }
    const old = { ...started(), version: 1, state }
    const read = readAgentRun(JSON.stringify(old))
    expect(read).toMatchObject({
      version: 2,
      terms: old.terms,
      state: { version: 2, totalSteps: 3, startedAt: 5, end: { status: 'aborted_stuck', rule: 'same-call', at: 7 } },
    })
    expect(JSON.stringify(read)).not.toContain('hunter2')
    expect(readAgentRun(JSON.stringify({ ...old, state: { ...state, end: null } }))?.state.end).toBeNull()
    expect(readAgentRun(JSON.stringify({ ...old, state: null }))).toBeNull()
  })
})

describe('a stop', () => {
  const treeOf = (run: AgentRun) => treeName(run.tree, HEAD)
  const stop = (run: AgentRun) => answerStop(run, treeOf(run)).isHeld

  test('is refused three times on a tree, six times in a turn', () => {
    const run = follow(started(), write('a', '0'))
    const held = [0, 1, 2].map(n => [stop(follow(run, write('a', `${n}`))), stop(run), stop(run), stop(run)])
    expect(held).toEqual([
      [true, true, true, false],
      [true, true, true, false],
      [false, false, false, false],
    ])
  })

  test('names what has not passed', () => {
    const run = follow(started({ checks: ['npm test', 'make'] }), write('a', '0'), check('timeout'))
    expect(answerStop(run, treeOf(run)).open).toEqual([
      { command: 'npm test', why: 'timeout' },
      { command: 'make', why: 'not run' },
    ])
  })

  test('is allowed without checks, after an end, and by the config', () => {
    expect(stop(follow(started({ checks: [] }), write('a', '0')))).toBe(false)
    expect(stop(follow(started({ holdsAtStop: false }), write('a', '0')))).toBe(false)
    const ended = follow(started(), write('a', '0'))
    applyEvents(ended, [failing(0), failing(0), failing(0), failing(0)], HEAD)
    settle(ended, 1)
    expect(stop(ended)).toBe(false)
  })

  test('a message begins a turn; after an end it begins a run on the same files', () => {
    const run = follow(started(), write('a', '0'))
    beginTurn(run, treeOf(run), 5)
    expect([stop(run), run.state.startedAt]).toEqual([false, 0])
    applyEvents(run, [failing(0), failing(0), failing(0), failing(0)], HEAD)
    settle(run, 1)
    const { tree } = run
    beginTurn(run, treeOf(run), 5)
    expect([run.state.end, run.state.startedAt, run.tree]).toEqual([null, 5, tree])
  })
})
