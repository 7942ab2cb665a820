import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

test.each([
  ['intent block', ['intent', 'block', 'INT-001']],
  ['intent add', ['intent', 'add', '--id', 'INT-002', '--name', 'x']],
  ['intent edit', ['intent', 'edit', 'INT-001', '--name', 'y']],
])('%s does all or nothing when the ledger can not be written, and a repeat does all', async (_, words) => {
  await using repo = await governedRepo()
  const before = await repo.read(REGISTRY)
  await repo.run('sh', ['-c', 'cd .orchestration; mv agent_trace.jsonl kept; mkdir agent_trace.jsonl'])
  expect((await runCli(repo, ...words)).failure?.code).toBe('ledger-unwritable')
  expect(await repo.read(REGISTRY)).toBe(before)
  expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ sessions: [{ intent: 'INT-001' }] })
  await repo.run('sh', ['-c', 'cd .orchestration; rmdir agent_trace.jsonl; mv kept agent_trace.jsonl'])
  expect((await runCli(repo, ...words)).failure).toBeNull()
  expect(await repo.read(REGISTRY)).not.toBe(before)
})

test('an intent that rests while a session on it lives is put to rest by a repeat', async () => {
  await using repo = await governedRepo()
  const registry = await repo.read(REGISTRY)
  await repo.write(REGISTRY, registry.replace(/^( +)status: PENDING/m, '$1status: BLOCKED'))
  expect((await runCli(repo, 'intent', 'block', 'INT-001')).failure).toBeNull()
  expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ sessions: [] })
  expect((await ledgerEvents(repo)).filter(it => it['to'] === 'BLOCKED')).toEqual([])
  expect((await runCli(repo, 'intent', 'block', 'INT-001')).failure?.code).toBe('illegal-transition')
})

test('an intent that was completed while a session on it lives is put to rest by a repeat', async () => {
  await using repo = await governedRepo()
  const registry = await repo.read(REGISTRY)
  await repo.write(REGISTRY, registry.replace(/^( +)status: PENDING/m, '$1status: COMPLETED'))
  const { failure, exit } = await runCli(repo, 'intent', 'complete', 'INT-001')
  expect([failure, exit]).toEqual([null, 0])
  expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ sessions: [] })
  expect((await runCli(repo, 'intent', 'complete', 'INT-001')).failure?.code).toBe('illegal-transition')
})

test('a session that the ledger can not tell of does not begin', async () => {
  await using repo = await governedRepo()
  await runCli(repo, 'intent', 'block', 'INT-001')
  await repo.write(REGISTRY, (await repo.read(REGISTRY)).replace('status: BLOCKED', 'status: PENDING'))
  await repo.run('sh', ['-c', 'cd .orchestration; rm agent_trace.jsonl; mkdir agent_trace.jsonl'])
  expect((await runCli(repo, 'intent', 'start', 'INT-001')).failure?.code).toBe('ledger-unwritable')
  expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ sessions: [] })
})
