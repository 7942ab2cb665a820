import { describe, expect, test } from 'vitest'
import { createRun } from '../../../src/shells/run-library/create-run.ts'
import { applyEvent } from '../../../src/core/runs/apply-event.ts'
import type { RunEvent } from '../../../src/core/runs/event.ts'
import { startedRun } from '../../../src/core/runs/run-state.ts'
import { ledgerCheckEvent } from '../../../src/core/runs/safe-event.ts'
import { runTerms, safely } from '../../rig/safe-events.ts'

const SECRET = 'hunter2 xK9/f+Zq=='
const tool = (args: unknown, more = {}): RunEvent => ({
  ...{ kind: 'tool', tool: 'Bash', args, result: `ok ${SECRET}`, exit: 0 },
  ...more,
})

// A secret in each text of each event.
const EVENTS: readonly RunEvent[] = [
  tool({ command: `npm test -- --token=${SECRET}` }),
  tool({ command: `PASSWORD='${SECRET}' npm test` }, { exit: 1, result: `Error: no\n  ${SECRET}` }),
  tool({ command: `curl -H "Authorization: Bearer ${SECRET}" https://u:${SECRET}@host/x` }, { does: 'command' }),
  tool({ command: `deploy ${SECRET}` }, { exit: null }),
  tool({ command: ['mysql', `-p${SECRET}`] }, { isError: true }),
  tool({ command: SECRET }),
  tool({ cmd: SECRET }, { batch: 'one' }),
  tool({ url: SECRET }, { tool: 'mcp__web__fetch' }),
  tool(SECRET, { tool: `npm test ${SECRET}`, does: 'test', exit: 1 }),
  tool(null, { tool: SECRET, isTimeout: true }),
  tool(null, { key: SECRET }),
  { kind: 'step', from: SECRET, to: `coder ${SECRET}`, reason: `I read ${SECRET}`, researchQuality: 1 },
  { kind: 'edit', path: `/home/${SECRET}`, before: SECRET, after: `${SECRET}.` },
  { kind: 'check', id: SECRET, command: `npm test ${SECRET}`, result: 'failed', output: `Error: ${SECRET}` },
  { kind: 'check', id: 'tests', command: `X=${SECRET} make`, result: 'failed', output: SECRET, signature: SECRET },
  { kind: 'diagnostic', severity: 'error', source: SECRET, message: `TypeError: ${SECRET}` },
  { kind: 'diagnostic', severity: 'warning', source: 'tsc', message: SECRET },
  { kind: 'plan', steps: 9, next: SECRET, reason: SECRET },
  { kind: 'message', from: 'agent', text: SECRET },
  { kind: 'intent', id: SECRET },
  { kind: 'ticket', id: SECRET, state: 'closed' },
  { kind: 'violation', rule: SECRET, isHard: false, detail: SECRET },
  { kind: 'violation', rule: 'no-new-files', isHard: true, detail: SECRET },
]
const leaked = (value: unknown) => /hunter2|xK9|f\+Zq/.exec(JSON.stringify(value))?.[0] ?? null

test.each(EVENTS.map(it => [JSON.stringify(it), it] as const))('no text of %s is stored', (_, event) => {
  expect(leaked(safely(event))).toBeNull()
})

test('nor is it in a state, a decision, a report or a store', () => {
  for (const events of [EVENTS, ...EVENTS.map(it => [it, it, it, it, it, it, it, it, it])]) {
    let saved: unknown = null
    const run = createRun({
      checks: ['tests'],
      store: { load: () => null, save: it => void (saved = structuredClone(it)) },
    })
    for (const it of events) {
      if (it.kind === 'tool') run.tool(it)
      if (it.kind === 'step') run.step(it.from, it.to, it)
      if (it.kind === 'edit') run.edit(it)
      if (it.kind === 'check') run.check(it)
      if (it.kind === 'diagnostic') run.diagnostic({ ...it, kind: it.severity })
      if (it.kind === 'plan') run.plan(it)
      if (it.kind === 'message') run.message(it.text, it.from)
      if (it.kind === 'ticket') run.ticket(it)
      if (it.kind === 'violation') run.violation(it)
    }
    // The library has no event of another intent.
    if (events.some(it => it.kind !== 'intent')) expect(saved).not.toBeNull()
    expect([saved, run.decide(), run.report()].map(leaked)).toEqual([null, null, null])
  }
})

describe('what is said of', () => {
  test.each<[event: RunEvent, what: string, ended: RegExp]>([
    [tool({ command: 'X=1 npm test -- --token=y' }), 'Bash: npm test --token', /^exit 0$/],
    [tool({ command: 'make' }, { exit: null, result: '' }), 'Bash: make', /^ended by a signal, signature [\da-f]{16}$/],
    [tool({ path: 'a' }, { tool: 'Read' }), 'Read', /^exit 0$/],
    [
      tool({ command: 'npm test' }, { exit: 1, result: 'TypeError: no' }),
      'Bash: npm test',
      /^exit 1, TypeError, signature [\da-f]{16}$/,
    ],
    [
      { kind: 'check', id: 'tests', command: 'npm test', result: 'failed', output: '' },
      'check tests: npm test',
      /^failed, signature [\da-f]{16}$/,
    ],
  ])('%j', (event, what, ended) => {
    expect(safely(event)).toMatchObject({ what, ended: expect.stringMatching(ended) })
  })

  test('a failure in a tracked file is its place, and of a call of a file the file', () => {
    const failed = tool({}, { tool: 'Read', exit: 1, result: 'TypeError: no' })
    expect(safely(failed, { about: 'src/a.ts', places: [{ path: 'src/b.ts', line: 3 }] })).toMatchObject({
      ...{ what: 'Read src/a.ts', ended: expect.stringMatching('^exit 1, TypeError at src/b.ts:3, signature ') },
    })
  })

  test('a command of the registry is the command', () => {
    const command = 'sh check.sh --level 3'
    expect(safely(tool({ command }))).toMatchObject({ what: 'Bash: sh' })
    expect(safely(tool({ command }), { published: [command] })).toMatchObject({ what: `Bash: ${command}` })
    const [passed, failed] = (['passed', 'failed'] as const).map(checked =>
      ledgerCheckEvent({ command, checked, signature: 'a'.repeat(16) }),
    )
    expect(passed).toMatchObject({ id: command, what: `check ${command}`, ended: 'passed', failure: null })
    expect(failed).toMatchObject({ ended: `failed, signature ${'a'.repeat(16)}` })
    expect(leaked(ledgerCheckEvent({ command, checked: 'failed', signature: SECRET }))).toBeNull()
  })
})

test('the last run of tests is kept for the report', () => {
  const run = startedRun(runTerms([]))
  applyEvent(run, safely(tool({ command: 'npm test' }, { does: 'test', exit: 1, result: 'TypeError: x' })))
  applyEvent(run, safely(tool({ path: 'a' }, { tool: 'Read' })))
  expect(run.lastTest).toMatchObject({ what: 'Bash: npm test', ended: expect.stringMatching('^exit 1, TypeError, ') })
})
