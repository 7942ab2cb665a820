import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { startOtlpReceiver } from '../../rig/otlp-receiver.ts'
import {
  appendLines,
  appendWrites,
  exportTo,
  receivedUids,
  repoWithWrites,
  sealedLines,
  writeOf,
  writeUids,
} from '../../rig/telemetry-export.ts'

test('what follows the ledger sends what is appended meanwhile, and what is left when it is stopped', async () => {
  await using repo = await repoWithWrites(2)
  await using receiver = await startOtlpReceiver()
  const stop = new AbortController()
  let pauses = 0
  const pause = async () => {
    pauses++
    if (pauses < 4) await appendWrites(repo, { from: 1 + pauses, to: 2 + pauses })
    else stop.abort()
  }
  const { counts } = await exportTo(repo, { url: receiver.url, follow: true, until: stop.signal, pause })
  expect([counts.records, receivedUids(receiver)]).toEqual([5, writeUids(5)])
  expect(receiver.points.filter(it => it.metric === 'kotef.writes').at(-1)?.value).toBe(5)
})

test('counters go on across exports from one start', async () => {
  await using repo = await repoWithWrites(2)
  await using receiver = await startOtlpReceiver()
  await exportTo(repo, receiver)
  await appendWrites(repo, { from: 2, to: 5 })
  await exportTo(repo, receiver)
  const writes = receiver.points.filter(it => it.metric === 'kotef.writes')
  expect(writes.map(it => it.value)).toEqual([2, 5])
  expect(new Set(writes.map(it => it.start)).size).toBe(1)
  expect(BigInt(writes[0]?.start ?? 0) <= BigInt(writes[0]?.time ?? 0)).toBe(true)
})

describe('a ledger that', () => {
  test('was closed is exported to its end, and then the new one from its beginning', async () => {
    await using repo = await repoWithWrites(4)
    await using receiver = await startOtlpReceiver()
    await exportTo(repo, receiver)
    await appendWrites(repo, { from: 4, to: 7 })
    await repo.play(`mkdir -p .git/kotef; rm -f .git/kotef/agent_trace.jsonl
      mv .orchestration/agent_trace.jsonl .git/kotef/agent_trace.20261120T120000000Z.jsonl`)
    const closed = {
      event: 'ledger-closed',
      reason: 'r',
      closed: { files: [], records: 7, head: null, findings: [] },
    } as const
    const fresh = sealedLines([{ event: closed }, writeOf('src/new.ts')], { writer: 'x' }).map(it => it.line)
    await appendLines(await openWorkspace(repo.root), fresh)
    expect((await exportTo(repo, receiver)).said).toEqual([])
    expect(receivedUids(receiver)).toEqual([...writeUids(7), 'x-0', 'x-1'])
    expect((await exportTo(repo, receiver)).counts.records).toBe(0)
  })

  test('was cut is told, and only what was not exported yet is sent', async () => {
    await using repo = await repoWithWrites(6)
    await using receiver = await startOtlpReceiver()
    await exportTo(repo, receiver)
    await repo.play('sed -i 4,6d .orchestration/agent_trace.jsonl; rm -f .git/kotef/agent_trace.jsonl')
    await appendWrites(repo, { from: 6, to: 8 })
    const { said } = await exportTo(repo, receiver)
    expect(said).toEqual([expect.stringContaining('not the one that was exported before')])
    expect(receivedUids(receiver)).toEqual(writeUids(8))
  })

  test('has a damaged line, a line twice and half a line at its end is exported without those', async () => {
    await using repo = await repoWithWrites(3)
    await using receiver = await startOtlpReceiver()
    await repo.play(`cd .orchestration; sed -n 2p agent_trace.jsonl >>agent_trace.jsonl
      echo garbage >>agent_trace.jsonl; sed -n 1p agent_trace.jsonl | head -c 100 >>agent_trace.jsonl`)
    const { counts, said } = await exportTo(repo, receiver)
    expect([counts.records, counts.damaged, receivedUids(receiver)]).toEqual([3, 2, writeUids(3)])
    expect(said.join('\n')).toContain('agent_trace.jsonl:5: expected a ledger record')
  })
})

test('the first time, records from before a moment can be left out', async () => {
  await using repo = await repoWithWrites(5)
  await using receiver = await startOtlpReceiver()
  const since = Date.UTC(2026, 10, 20, 10, 0, 3)
  await exportTo(repo, { url: receiver.url, since })
  await exportTo(repo, { url: receiver.url, since: null })
  expect(receivedUids(receiver)).toEqual(writeUids(2, 3))
})

test('headers, compression and a switched-off signal come from the variables of OpenTelemetry', async () => {
  await using repo = await repoWithWrites(3)
  await using receiver = await startOtlpReceiver()
  const variables = {
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=team',
  }
  Object.assign(process.env, variables)
  try {
    await exportTo(repo, receiver)
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer abc', 'content-encoding': 'gzip' })
  expect([receivedUids(receiver), receiver.points]).toEqual([writeUids(3), []])
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'kotef', 'deployment.environment.name': 'team' })
})

test('a certificate that is not trusted stops the export, and a variable names the one to trust', async () => {
  await using repo = await repoWithWrites(3)
  const made = await repo.play(`openssl req -x509 -newkey rsa:2048 -nodes -keyout ../key.pem -out ../cert.pem \
    -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1`)
  expect(made.code).toBe(0)
  const [key, cert] = await Promise.all(['key', 'cert'].map(it => readFile(join(repo.base, `${it}.pem`), 'utf8')))
  await using receiver = await startOtlpReceiver({ key: key ?? '', cert: cert ?? '' })
  await expect(exportTo(repo, receiver)).rejects.toMatchObject({ code: 'export-failed' })
  process.env['OTEL_EXPORTER_OTLP_CERTIFICATE'] = join(repo.base, 'cert.pem')
  await exportTo(repo, receiver).finally(() => delete process.env['OTEL_EXPORTER_OTLP_CERTIFICATE'])
  expect(receivedUids(receiver)).toEqual(writeUids(3))
})
