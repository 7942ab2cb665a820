import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { claimHolders, selectOrThrow, trySelect, unselectedRepo } from '../../rig/selection.ts'
import { systemClock } from '../../../src/world/io/process/clock.ts'

/** The pid of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

test('the session of a killed agent is over, and the next agent gets its intent (solo A9)', async () => {
  await using repo = await unselectedRepo()
  await selectOrThrow(repo, { clock: systemClock, pid: await endedPid() })
  expect((await runCli(repo, 'status')).json).toMatchObject({ session: null, intent: null })
  expect((await runCli(repo, 'session', 'list')).text).toContain('its process is gone')
  expect((await trySelect(repo, { clock: systemClock, session: 't' })).refusal).toBeNull()
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 't' })
  expect((await runCli(repo, 'session', 'list')).json).toMatchObject({ sessions: [{ id: 't' }] })
})

test('a person commits governance files after the agent was killed, without approval (solo A9)', async () => {
  await using repo = await hookedRepo({ start: null })
  const child = spawn('sleep', ['60'])
  await selectOrThrow(repo, { clock: systemClock, pid: child.pid ?? 0 })
  await runCli(repo, 'intent', 'add', '--name', 'x', '--scope', 'lib/**')
  child.kill()
  await once(child, 'exit')
  await repo.git('commit', '-qam', 'add INT-006', '-m', 'Governance: add INT-006')
})

test('a session is ended by the beginning of its id, or with all others (solo A9)', async () => {
  await using repo = await unselectedRepo()
  await selectOrThrow(repo, { session: 'abc-1' })
  await selectOrThrow(repo, { session: 'abd-2', intent: 'INT-002' })
  expect((await runCli(repo, 'session', 'end', 'ab')).failure?.message).toContain('2 begin with ab')
  expect((await runCli(repo, 'session', 'end', 'abc')).json).toMatchObject({ ended: [{ id: 'abc-1' }] })
  await selectOrThrow(repo, { session: 'x' })
  expect((await runCli(repo, 'session', 'end', '--all')).json).toMatchObject({ ended: [{ id: 'abd-2' }, { id: 'x' }] })
  expect(await claimHolders(repo)).toEqual({})
})

test('a session ends on a branch from before the adoption (team A15)', async () => {
  await using repo = await hookedRepo()
  await repo.git('switch', '-q', '--orphan', 'old')
  expect((await runCli(repo, 'session', 'end')).json).toMatchObject({ ended: [{ intent: 'INT-001' }] })
})
