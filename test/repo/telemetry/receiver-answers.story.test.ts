import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOtlpReceiver } from '../../rig/otlp-receiver.ts'
import { type Repo } from '../../rig/repo.ts'
import { appendWrites, exportTo, receivedUids, repoWithWrites, writeUids } from '../../rig/telemetry-export.ts'

const failure = (thrown: unknown) => thrown as Error & { code: string; said: string[]; pauses: number[] }

async function cursorFile(repo: Repo): Promise<string> {
  const folder = join(repo.root, '.git/kotef/export')
  const [name = ''] = (await readdir(folder)).filter(it => it.endsWith('.json'))
  return join(folder, name)
}

test('an export goes on where the last one stopped, and its cursor is for this user alone', async () => {
  await using repo = await repoWithWrites(3)
  await using receiver = await startOtlpReceiver()
  expect((await exportTo(repo, receiver)).counts.records).toBe(3)
  expect((await exportTo(repo, receiver)).counts.records).toBe(0)
  await appendWrites(repo, { from: 3, to: 5 })
  expect((await exportTo(repo, receiver)).counts.records).toBe(2)
  expect(receivedUids(receiver)).toEqual(writeUids(5))
  expect((await stat(await cursorFile(repo))).mode & 0o777).toBe(0o600)
})

test('each endpoint has a cursor of its own, and one id for all its exports', async () => {
  await using repo = await repoWithWrites(2)
  await using one = await startOtlpReceiver()
  await using other = await startOtlpReceiver()
  await exportTo(repo, one)
  await exportTo(repo, other)
  await appendWrites(repo, { from: 2, to: 3 })
  await exportTo(repo, one)
  expect([receivedUids(one), receivedUids(other)]).toEqual([writeUids(3), writeUids(2)])
  const ids = [...one.resources, ...other.resources].map(it => it['service.instance.id'])
  expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false])
})

test('a damaged cursor stops the export: going on could send everything again', async () => {
  await using repo = await repoWithWrites(2)
  await using receiver = await startOtlpReceiver()
  await exportTo(repo, receiver)
  await writeFile(await cursorFile(repo), '{"version":1}')
  await expect(exportTo(repo, receiver)).rejects.toMatchObject({ code: 'export-failed' })
  expect(receivedUids(receiver)).toEqual(writeUids(2))
})

describe('a receiver that', () => {
  test('rejects a part of a request is believed: that part is told, and not sent again', async () => {
    await using repo = await repoWithWrites(5)
    await using receiver = await startOtlpReceiver()
    receiver.fault = signal => (signal === 'logs' ? { rejected: 2, message: 'too old' } : null)
    const { counts, said } = await exportTo(repo, receiver)
    expect(counts).toMatchObject({ records: 5, rejected: 2 })
    expect(said.join('\n')).toMatch(/rejected 2 of the items in a request: too old/)
    expect((await exportTo(repo, receiver)).counts.records).toBe(0)
    expect(receivedUids(receiver)).toEqual(writeUids(5))
  })

  test("can't read one record gets all others, and that one is told and skipped", async () => {
    await using repo = await repoWithWrites(700)
    await using receiver = await startOtlpReceiver()
    receiver.fault = (_, logs) =>
      logs.some(it => it.attributes['log.record.uid'] === 'w-300') ? { status: 400 } : null
    const { counts, said } = await exportTo(repo, receiver)
    expect(counts).toMatchObject({ records: 699, skipped: 1 })
    expect(said.filter(it => it.includes("can't read record w-300"))).toHaveLength(1)
    expect(receivedUids(receiver)).toEqual(writeUids(700).filter(it => it !== 'w-300'))
    expect((await exportTo(repo, receiver)).counts).toMatchObject({ records: 0, skipped: 0 })
  })

  test("can't read any record loses none: the export stops, and nothing is passed over", async () => {
    await using repo = await repoWithWrites(40)
    await using receiver = await startOtlpReceiver()
    receiver.fault = () => ({ status: 400 })
    await expect(exportTo(repo, receiver)).rejects.toMatchObject({ code: 'export-failed' })
    receiver.fault = () => null
    await exportTo(repo, receiver)
    expect(receivedUids(receiver)).toEqual(writeUids(40))
  })

  test.each([401, 403, 404, 500])('answers %i stops the export at once, with its cursor where it was', async status => {
    await using repo = await repoWithWrites(3)
    await using receiver = await startOtlpReceiver()
    receiver.fault = () => ({ status })
    const thrown = failure(await exportTo(repo, { url: receiver.url, follow: true }).catch((it: unknown) => it))
    expect([thrown.code, thrown.pauses]).toEqual(['export-failed', []])
    expect(thrown.message).toContain(`refuses the telemetry: ${status}`)
    expect(receiver.headers).toHaveLength(1)
    receiver.fault = () => null
    await exportTo(repo, receiver)
    expect(receivedUids(receiver)).toEqual(writeUids(3))
  })

  test('says when to come back is waited for that long, also beyond the time limit of a request', async () => {
    await using repo = await repoWithWrites(3)
    await using receiver = await startOtlpReceiver()
    let answers = 0
    const faults = [
      { status: 429, headers: { 'retry-after': '45' } },
      { status: 503, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } },
    ]
    receiver.fault = signal => (signal === 'logs' ? (faults[answers++] ?? null) : null)
    const { pauses, said } = await exportTo(repo, receiver)
    expect(pauses[0]).toBe(45_000)
    expect(pauses[1]).toBeGreaterThan(85_000)
    expect(pauses[1]).toBeLessThanOrEqual(90_000)
    expect(said).toEqual([expect.stringContaining('takes no telemetry now'), `${receiver.url} answers again.`])
    expect(receivedUids(receiver)).toEqual(writeUids(3))
  })

  test('is gone is given up after five minutes in all, and never by one that follows the ledger', async () => {
    await using repo = await repoWithWrites(3)
    await using receiver = await startOtlpReceiver()
    await receiver.stop()
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '100'
    try {
      const thrown = failure(await exportTo(repo, receiver).catch((it: unknown) => it))
      expect([thrown.code, thrown.message.includes('ECONNREFUSED')]).toEqual(['export-failed', true])
      expect(thrown.pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map(it => it * 1_000))
      expect(thrown.pauses.reduce((sum, it) => sum + it)).toBeLessThanOrEqual(300_000)
      const stop = new AbortController()
      let pauses = 0
      const pause = () => (++pauses === 20 ? stop.abort() : undefined)
      const { counts } = await exportTo(repo, { url: receiver.url, follow: true, until: stop.signal, pause })
      expect([counts.records, pauses]).toEqual([0, 20])
    } finally {
      delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT']
    }
    await receiver.restart()
    await exportTo(repo, receiver)
    expect(receivedUids(receiver)).toEqual(writeUids(3))
  })

  test('has no room for the counters gets logs and spans all the same', async () => {
    await using repo = await repoWithWrites(3)
    await using receiver = await startOtlpReceiver()
    receiver.fault = signal => (signal === 'metrics' ? { status: 400 } : null)
    const { counts, said } = await exportTo(repo, receiver)
    expect([counts.records, counts.points, said.at(-1)]).toEqual([
      3,
      0,
      expect.stringContaining("can't read the counters"),
    ])
  })
})
