import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'

test('a daemon that does not answer is named, with the way out', async () => {
  await using repo = await governedRepo()
  await using daemon = await startWatching(repo)
  const { failure } = await daemon.standsStillFor(() => runCli(repo, 'flush', '--timeout', '100'))
  expect([failure?.code, failure?.hint]).toEqual(['daemon-failed', expect.stringContaining(`kill -9 ${daemon.pid}`)])
})

test('when the ledger can’t be written, flush says why in time, and the daemon still stops', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  const ledger = join(repo.root, '.orchestration/agent_trace.jsonl')
  await rm(ledger)
  await mkdir(ledger)
  await repo.write('src/a.ts', 'x\n')
  await daemon.line(/ledger can't be written/)
  const { failure } = await runCli(repo, 'flush', '--timeout', '500')
  expect([failure?.code, failure?.message]).toEqual([
    'flush-timeout',
    expect.stringContaining('agent_trace.jsonl is a directory'),
  ])
  const doctor = await runCli(repo, 'doctor')
  expect([doctor.exit, doctor.text]).toEqual([
    1,
    expect.stringMatching(/wrong +daemon: .* does not record: .*agent_trace/),
  ])
  await rm(ledger, { recursive: true })
  expect((await runCli(repo, 'flush')).failure).toBeNull()
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toMatchObject({ code: 0 })
  expect(await repo.read('.orchestration/agent_trace.jsonl')).toContain('"src/a.ts"')
})

test('a deleted .orchestration comes back with the next record, and no record is lost (solo B6)', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await rm(join(repo.root, '.orchestration'), { recursive: true })
  await repo.write('src/a.ts', 'x\n')
  expect((await runCli(repo, 'flush')).failure).toBeNull()
  expect(await repo.read('.orchestration/agent_trace.jsonl')).toContain('"src/a.ts"')
  const { json, exit } = await runCli(repo, 'trace', 'verify')
  expect([exit, (json as { findings: { rule: string }[] }).findings.map(it => it.rule)]).toEqual([0, []])
})

test.each([
  ['moved away', 'mv agent_trace.jsonl ../../kept; rm ../.git/kotef/agent_trace.jsonl', ['ledger-gap']],
  ['emptied', ': >agent_trace.jsonl', ['ledger-gap']],
  ['cut off in its last line', 'truncate -s -9 agent_trace.jsonl', ['ledger-damaged', 'ledger-gap']],
])('a ledger that was %s is gone on with, and what is missing is named', async (_, does, rules) => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  await repo.run('sh', ['-c', `cd .orchestration; ${does}`])
  await repo.write('src/b.ts', 'x\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/b.ts'])
  const { json, exit } = await runCli(repo, 'trace', 'verify')
  expect([exit, (json as { findings: { rule: string }[] }).findings.map(it => it.rule)]).toEqual([1, rules])
})

test('a ledger that can not be written is told of, and written again as soon as it can be', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('sh', ['-c', `exec ${AS_UNPRIVILEGED}kotef-watch`])
  await daemon.line(/kotef is watching/)
  await chmod(join(repo.root, '.orchestration/agent_trace.jsonl'), 0o444)
  await repo.write('src/a.ts', 'x\n')
  await daemon.line(/ledger can't be written/)
  await chmod(join(repo.root, '.orchestration/agent_trace.jsonl'), 0o644)
  expect((await flushedWrites(repo)).map(it => it.files[0]?.path)).toEqual(['src/a.ts'])
})

test('a daemon that slept goes on with what was written meanwhile', async () => {
  await using repo = await governedRepo()
  await using daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'before\n')
  await daemon.standsStillFor(async () => {
    await repo.write('src/a.ts', 'asleep\n')
    await repo.write('src/b.ts', 'asleep\n')
  })
  const last = new Map((await flushedWrites(repo)).map(it => [it.files[0]?.path, it.files[0]?.kotef.after]))
  const asleep = blobOid(Buffer.from('asleep\n'))
  expect([...last].sort()).toEqual([
    ['src/a.ts', asleep],
    ['src/b.ts', asleep],
  ])
})

test('a daemon ends when its worktree is gone', async () => {
  await using repo = await governedRepo()
  const linked = join(repo.base, 'linked')
  await repo.git('worktree', 'add', '--quiet', linked)
  await using daemon = repo.start('kotef-watch', [], { cwd: linked })
  await daemon.line(/kotef is watching/)
  await rm(linked, { recursive: true })
  expect(await daemon.ended).toMatchObject({ signal: null })
})

test('a time that no daemon would take is a wrong use', async () => {
  await using repo = await governedRepo()
  for (const timeout of ['0', '-1', 'x', '700000', '1e99'])
    expect((await runCli(repo, 'flush', '--timeout', timeout)).failure?.code).toBe('usage')
})

test('a patient flush does not keep a daemon from ending', async () => {
  await using repo = await governedRepo()
  await using daemon = repo.start('kotef-watch')
  await daemon.line(/kotef is watching/)
  for (let n = 0; n < 300; n++) await repo.write(`src/f${n}.ts`, `${n}\n`)
  expect((await runCli(repo, 'flush', '--timeout', '600000')).failure).toBeNull()
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toMatchObject({ code: 0 })
})
