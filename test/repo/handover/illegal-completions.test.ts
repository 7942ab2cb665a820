import { describe, expect, test } from 'vitest'
import { SESSIONS_FOLDER } from '../../../src/core/handover/port.ts'
import type { HandoverProblem } from '../../../src/core/handover/handover-problem.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { askGate } from '../../rig/agent-gate.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import type { CorpusRow } from '../../rig/handover/corpus-rows.ts'
import { commitUnjudged, sessionOfRow, writeSession } from '../../rig/handover/handover-repo.ts'
import { illegalCompletions, legalCompletions, SOURCE } from '../../rig/handover/illegal-completions.ts'
import { renamed } from '../../rig/handover/session-files.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { connectMcp } from '../../rig/mcp-client.ts'
import type { Repo } from '../../rig/repo.ts'
import { selectOrThrow } from '../../rig/selection.ts'

const ROWS: readonly CorpusRow[] = [...illegalCompletions, ...legalCompletions]
const named = (files: SessionFiles, n: number) => renamed(files, sessionOfRow(n))
const tasksOf = (n: number) => `${SESSIONS_FOLDER}/${sessionOfRow(n)}/tasks.yaml`

/** Every session before its task is completed, committed. */
const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await repo.write('.orchestration/config.yaml', 'version: 1\nruns: { profile: "off" }\n')
  await repo.write(SOURCE.path, SOURCE.now)
  ROWS.forEach(({ before }, n) => before && writeSession(repo, named(before, n)))
  await commitUnjudged(repo, 'before')
  return repo
})

/** Each session with all its answers, and then with its task completed, written by hand. */
function answer(repo: Repo): void {
  ROWS.forEach(({ before, after }, n) => {
    const texts = new Map([...after.texts, ['tasks.yaml', before?.texts.get('tasks.yaml') ?? '']])
    writeSession(repo, named({ name: after.name, texts }, n))
  })
}
const complete = (repo: Repo) => ROWS.forEach(({ after }, n) => writeSession(repo, named(after, n)))

/** Compares the lists of tasks in which a layer found something with those in which there is something. */
function expectRefused(found: Iterable<string | null>): void {
  const refused = new Set(found)
  ROWS.forEach(({ title }, n) => {
    const isRefused = refused.has(tasksOf(n))
    expect(isRefused, title).toBe(n < illegalCompletions.length)
  })
}

type Findings = {
  readonly findings: readonly { readonly rule: string; readonly path: string; readonly level: string }[]
}
const blockedIn = ({ findings }: Findings) =>
  findings.flatMap(it => (it.level === 'block' && it.rule === 'handover-task' ? [it.path] : []))

describe('a task that is completed by hand although a gate is open', () => {
  test('is found by kotef handover check', async () => {
    await using repo = await copyGoverned(template())
    complete(repo)
    const { json } = await runCli(repo, 'handover', 'check')
    const { sessions } = json as { sessions: { problems: HandoverProblem[] }[] }
    expectRefused(sessions.flatMap(it => it.problems.map(({ file }) => file)))
  })

  test('is refused by a commit', async () => {
    await using repo = await copyGoverned(template())
    complete(repo)
    await repo.git('add', '--all')
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('handover check') })
    expectRefused(blockedIn((await runCli(repo, 'verify', '--staged')).json as Findings))
  })

  test('is refused by verify', async () => {
    await using repo = await copyGoverned(template())
    complete(repo)
    await commitUnjudged(repo, 'after')
    expectRefused(blockedIn((await runCli(repo, 'verify', 'HEAD^..HEAD')).json as Findings))
  })

  test('is recorded by the daemon', async () => {
    await using repo = await copyGoverned(template())
    await using _daemon = await startWatching(repo)
    await flushedRecords(repo)
    complete(repo)
    const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
    expectRefused(events.flatMap(it => (it.event === 'violation' ? [it.path] : [])))
  })

  test("is refused by an agent's hook, before it writes", async () => {
    await using repo = await copyGoverned(template())
    answer(repo)
    await selectOrThrow(repo)
    const refused: string[] = []
    for (const [n, { before, after }] of ROWS.entries()) {
      const whole = { tool: 'Write', input: { file_path: tasksOf(n), content: after.texts.get('tasks.yaml') } }
      const { kind } = await askGate(repo, 'claude', whole)
      if (kind === 'denied') refused.push(tasksOf(n))
      if (!before?.texts.get('tasks.yaml')?.includes('implemented')) continue
      const words = { old_string: 'status: implemented', new_string: 'status: completed' }
      const part = await askGate(repo, 'claude', { tool: 'Edit', input: { file_path: tasksOf(n), ...words } })
      expect(part.kind).toBe(kind)
    }
    expectRefused(refused)
  })
})

describe('a task that is completed by a tool although a gate is open', () => {
  test("is refused by the hook of an Orchestrator's session", async () => {
    await using repo = await copyGoverned(template())
    answer(repo)
    const rows = [...ROWS.keys()].filter(n => ROWS[n]?.title.includes('from implemented'))
    const [bad = 0, good = 0] = [rows[0], rows.at(-1)]
    for (const [n, kind] of [
      [bad, 'denied'],
      [good, 'allowed'],
    ] as const) {
      await selectOrThrow(repo, { session: `s-${n}`, handover: { role: 'Orchestrator', session: sessionOfRow(n) } })
      const content = ROWS[n]?.after.texts.get('tasks.yaml')
      const write = { tool: 'Write', input: { file_path: tasksOf(n), content }, session: `s-${n}` }
      expect((await askGate(repo, 'claude', write)).kind).toBe(kind)
      await repo.kotef('session', 'end', '--all')
    }
  })

  test.each(['a command', 'MCP'])('is refused by %s, which takes one step at a time', async by => {
    await using repo = await copyGoverned(template())
    answer(repo)
    await selectOrThrow(repo)
    await using mcp = by === 'MCP' ? await connectMcp(repo, { env: { KOTEF_SESSION: 's' } }) : null
    for (const [n, { title }] of ROWS.entries()) {
      const session = sessionOfRow(n)
      const set = async (status: string, role: string) => {
        if (mcp) return !(await mcp.call('handover_task', { session, id: 'T-001', status, role })).isError
        const words = ['handover', 'task', 'T-001', status, '--role', role, '--session', session]
        return (await runCli(repo, ...words)).exit === 0
      }
      if (title.includes('from not-started')) {
        expect(await set('completed', 'Orchestrator'), title).toBe(false)
        expect(await set('implemented', 'Coder'), title).toBe(false)
        expect([await set('in-progress', 'Coder'), await set('implemented', 'Coder')]).toEqual([true, true])
      }
      expect(await set('completed', 'Orchestrator'), title).toBe(n >= illegalCompletions.length)
    }
  })

  test('does not go on to INTEGRATE when it was completed by hand', async () => {
    await using repo = await copyGoverned(template())
    complete(repo)
    const go = (n: number) => runCli(repo, 'handover', 'advance', 'INTEGRATE', '--session', sessionOfRow(n))
    expect((await go(0)).failure?.message).toMatch(/not completed by rule[^]*tasks\/T-001\/status/)
    expect((await go(ROWS.length - 1)).json).toMatchObject({ state: 'INTEGRATE' })
  })
})
