import { describe, expect, test } from 'vitest'
import { pastChecks, pastRuns } from '../../../../src/core/agents/context/past-attempts.ts'
import { contextText } from '../../../../src/core/agents/context/context-text.ts'
import type { TraceRecord } from '../../../../src/core/ledger/record.ts'
import { type AgentRunTerms, applyEvents, settle, startedAgentRun } from '../../../../src/core/runs/agent-run.ts'
import { safely } from '../../../rig/safe-events.ts'
import { contextFacts, entryTexts, readXml } from '../../../rig/context-facts.ts'

const record = (at: string, event: object) => ({ timestamp: at, metadata: { 'dev.kotef': event } }) as TraceRecord
const ran = (command: string, exit: number | null, more = {}) => ({
  ...{ event: 'check-run', intent: 'INT-001', command, exit, timed_out: false },
  ...more,
})

describe('the checks that were run', () => {
  test('have their results, and one that came out the same again is one entry with its latest time', () => {
    const records = [
      record('1', ran('npm test', 1)),
      record('2', ran('npm test', 1)),
      record('3', { event: 'intent-added', intent: 'INT-001' }),
      record('4', ran('npm test', 0)),
      record('5', ran('npm test', 1)),
    ]
    expect(pastChecks(records).map(it => [it.at, it.text, it.about['times']])).toEqual([
      ['2', 'npm test: failed', '×2'],
      ['4', 'npm test: passed', null],
      ['5', 'npm test: failed', null],
    ])
  })

  test.each([
    [{ timed_out: true }, ['t: timeout']],
    [{ status: 'stale' }, ['t: stale']],
    [{ kept: true }, []],
  ])('with %j', (more, texts) => {
    expect(pastChecks([record('1', ran('t', null, more))]).map(it => it.text)).toEqual(texts)
  })
})

const TERMS: AgentRunTerms = {
  ...{ session: 'other', intent: 'INT-001', checks: ['npm test'], manual: [], appetite: null, profile: null },
  ...{ limits: {}, holdsAtStop: true },
}

function stoppedRun(terms: Partial<AgentRunTerms> = {}) {
  const run = startedAgentRun({ ...TERMS, ...terms }, { ledgerBytes: 0, at: 0 })
  const args = { command: 'make --token secret' }
  const failing = safely<'tool'>({ kind: 'tool', tool: 'Bash', args, result: 'no secret', exit: 1 })
  applyEvents(run, [failing, failing, failing, failing], 'c0')
  settle(run, 60_000)
  return run
}

const own = { intent: 'INT-001', session: 'mine' }

describe('the runs of other sessions', () => {
  test('say how they ended and why, and which commands failed, without the text of arguments and outputs', () => {
    const [run, ...more] = pastRuns([stoppedRun()], own)
    expect(more).toEqual([])
    expect(run).toMatchObject({ at: '1970-01-01T00:01:00.000Z', kind: 'run', about: { session: 'other' } })
    expect(run?.text).toMatch(/^aborted_stuck, rule same-error: Bash: make .*failed 4 times/)
    expect(run?.about['commands']).toMatch(/^Bash: make .*\(exit 1\)$/)
    expect(JSON.stringify(run)).not.toContain('secret')
  })

  test('of this session, and of other intents, are left out', () => {
    expect(pastRuns([stoppedRun({ session: 'mine' }), stoppedRun({ intent: 'INT-002' })], own)).toEqual([])
  })

  test('that have not ended say so', () => {
    const run = startedAgentRun(TERMS, { ledgerBytes: 0, at: 1_000 })
    expect(pastRuns([run], own)).toMatchObject([{ at: '1970-01-01T00:00:01.000Z', text: 'not ended' }])
  })
})

test('US2.2: a context has the checks and the runs of other sessions among the work, newest first', () => {
  const commit = { oid: 'c', subject: 's' }
  const work = { at: '1970-01-01T00:00:30Z', by: 'ai', session: null, commit, paths: ['src/a'], classes: [] }
  const check = pastChecks([record('1969-01-01T00:00:00Z', ran('npm test', 1))])
  const facts = contextFacts({}, { history: [work], attempts: [...check, ...pastRuns([stoppedRun()], own)] })
  expect(entryTexts(readXml(contextText(facts, 'xml')), 'recent_history')).toEqual([
    expect.stringMatching(/^aborted_stuck/),
    'src/a',
    'npm test: failed',
  ])
})
