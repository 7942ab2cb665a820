import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import { temporaryRepo } from '../rig/repo.ts'

describe('intent complete', () => {
  const withCriteria = (...criteria: string[]) => {
    const intent = `{ id: INT-001, name: a, status: IN_PROGRESS, acceptance_criteria: [${criteria.join(', ')}] }`
    return temporaryRepo({ 'src/b.ts': '', '.orchestration/active_intents.yaml': `active_intents: [${intent}]\n` })
  }

  test('completes when every check passes and the rest is attested', async () => {
    await using repo = await withCriteria('{ cmd: "test -f src/b.ts" }', '"it reads well"')
    const said = await runCli(repo, 'intent', 'complete', 'INT-001', '--attest')
    expect(said).toMatchObject({ exit: 0, stderrLines: ['$ test -f src/b.ts'] })
    const [first, ...lines] = said.text.split('\n')
    expect(first).toBe('INT-001 is COMPLETED: a')
    expect(lines.slice(0, 2)).toEqual(['  passed    test -f src/b.ts', '  attested  it reads well'])
    expect(await ledgerEvents(repo)).toMatchObject([
      { event: 'check-run', command: 'test -f src/b.ts', exit: 0, timed_out: false },
      { event: 'attested', criteria: ['it reads well'] },
      { event: 'transition', to: 'COMPLETED' },
    ])
  })

  test('names every criterion that stands in the way, with the end of what a check printed', async () => {
    await using repo = await withCriteria(
      '{ cmd: "echo no luck; exit 3" }',
      '"it reads well"',
      '{ cmd: "sleep 60", timeout: 0.2 }',
    )
    const { exit, text } = await runCli(repo, 'intent', 'complete', 'INT-001')
    expect(exit).toBe(1)
    expect(text.split('\n').map(it => it.trim())).toEqual([
      'INT-001 is not complete, 3 problems.',
      'block  echo no luck; exit 3: ended with 3:',
      'no luck',
      'Make it pass.',
      'block  it reads well: not attested',
      'Attest it with `kotef attest INT-001`, or `kotef intent complete INT-001 --attest`.',
      'block  sleep 60: stopped after 0.2 s',
      'Make it pass.',
    ])
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ intent: { status: 'PENDING' } })
  })

  test('shows the lines of a check without their colours and the empty lines at their end', async () => {
    await using repo = await withCriteria(`{ cmd: "printf '\\\\033[31mred\\\\033[0m\\\\n\\\\n'; exit 1" }`)
    const { text } = await runCli(repo, 'intent', 'complete', 'INT-001')
    expect(text.split('\n').slice(2)).toEqual(['    red', '         Make it pass.'])
  })

  test("a person's word does not make up for a failing check", async () => {
    await using repo = await withCriteria('{ cmd: "false" }')
    expect((await runCli(repo, 'intent', 'complete', 'INT-001', '--attest')).exit).toBe(1)
  })

  test("without any criterion it takes a person's word", async () => {
    await using repo = await withCriteria()
    expect((await runCli(repo, 'intent', 'complete', 'INT-001')).exit).toBe(1)
    expect((await runCli(repo, 'intent', 'complete', 'INT-001', '--attest')).exit).toBe(0)
  })

  const withTwo = (second: string) =>
    temporaryRepo({
      '.orchestration/active_intents.yaml': `active_intents:
  - { id: INT-001, name: a, status: IN_PROGRESS, acceptance_criteria: [{ cmd: "echo run >> .git/runs" }] }
  - { id: INT-002, name: b, status: IN_PROGRESS, acceptance_criteria: [{ cmd: "echo run >> .git/runs" }${second}] }\n`,
    })

  test('of several intents, runs a check that they share once', async () => {
    await using repo = await withTwo('')
    const { text, json } = await runCli(repo, 'intent', 'complete', 'INT-001', 'INT-002', '--commit')
    expect(text.split('\n').filter(it => !it.startsWith(' '))).toEqual([
      'INT-001 is COMPLETED: a',
      'INT-002 is COMPLETED: b',
    ])
    expect(json).toMatchObject({ completions: [{ findings: [] }, { findings: [] }] })
    expect(await repo.read('.git/runs')).toBe('run\n')
    expect(await ledgerEvents(repo)).toMatchObject([
      { event: 'check-run', intent: 'INT-001' },
      { event: 'check-run', intent: 'INT-002', kept: true },
      { event: 'transition', intent: 'INT-001', to: 'COMPLETED' },
      { event: 'transition', intent: 'INT-002', to: 'COMPLETED' },
    ])
    expect(await repo.git('log', '-1', '--format=%s')).toBe('complete INT-001, INT-002\n')
  })

  test('of several intents, completes none when one is not complete', async () => {
    await using repo = await withTwo(', { cmd: "false" }')
    const { exit, text } = await runCli(repo, 'intent', 'complete', 'INT-001', 'INT-002')
    expect([exit, text.split('\n')[0]]).toEqual([1, 'INT-002 is not complete, and so none is completed, 1 problem.'])
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ intent: { status: 'PENDING' } })
  })
})
