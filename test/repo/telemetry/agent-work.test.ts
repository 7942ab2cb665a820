import { expect, test } from 'vitest'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { flushedWrites, startWatching } from '../../rig/governed-repo.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../rig/otlp-receiver.ts'
import type { Repo } from '../../rig/repo.ts'
import { answeredClaude, selectedRepo } from '../../rig/session-runs.ts'
import { exportTo } from '../../rig/telemetry-export.ts'

const valueOf = ({ points }: OtlpReceiver, metric: string) => points.filter(it => it.metric === metric).at(-1)

/** An agent that writes, is refused, loops until its run is stopped, and ends. */
async function workedRepo(): Promise<Repo> {
  const repo = await selectedRepo()
  await using _daemon = await startWatching(repo)
  const agent = answeredClaude(repo)
  await agent.writes('src/secret-name.ts', 'const token = 1\nconst other = 2\n')
  await agent.writes('lib/refused.ts', 'x\n')
  for (let n = 0; n < 5; n++) await agent.runs('make', { exit: 1, output: 'the same error' })
  await flushedWrites(repo)
  return repo
}

test('sessions, runs and refused writes of an agent arrive once each, and its logs belong to its session', async () => {
  await using repo = await workedRepo()
  await using receiver = await startOtlpReceiver()
  await exportTo(repo, receiver)
  const [run, ...others] = receiver.spans
  expect(others).toEqual([])
  expect(run).toMatchObject({
    ...{ name: 'kotef.run', status: 2 },
    attributes: { 'session.id': 's', 'kotef.intent.id': 'INT-001', 'kotef.run.status': 'aborted_stuck' },
  })
  const refused = receiver.logs.filter(it => it.event === 'kotef.refusal')
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatchObject({
    ...{ severity: 13, spanId: run?.parentId, traceId: run?.traceId, time: '0' },
    attributes: { 'kotef.rule': 'scope-violation', 'file.path': 'lib/refused.ts', 'gen_ai.agent.name': 'claude' },
  })
  await repo.kotef('session', 'end', 's')
  await exportTo(repo, receiver)
  await exportTo(repo, receiver)
  const session = receiver.spans.slice(1)
  expect(session).toHaveLength(1)
  expect(session[0]).toMatchObject({
    ...{ name: 'kotef.session', traceId: run?.traceId, spanId: run?.parentId, status: 0 },
    attributes: { 'session.id': 's', 'kotef.session.writes': 1 },
  })
  const write = receiver.logs.find(it => it.event === 'kotef.write')
  expect([write?.traceId, write?.spanId]).toEqual([run?.traceId, run?.parentId])
  expect(receiver.logs).toHaveLength((await ledgerEvents(repo)).length + 1)
  expect(valueOf(receiver, 'kotef.runs.ended')).toMatchObject({ value: 1 })
  expect(valueOf(receiver, 'kotef.refusals')).toMatchObject({ value: 1 })
  expect(valueOf(receiver, 'kotef.sessions.ended')).toMatchObject({ value: 1 })
})

test('nothing of what a file holds is sent, no hash of it, and no path where none is wanted', async () => {
  await using repo = await workedRepo()
  await using all = await startOtlpReceiver()
  await using pathless = await startOtlpReceiver()
  await exportTo(repo, all)
  await exportTo(repo, { url: pathless.url, paths: false })
  const sent = ({ logs, spans, points, resources }: OtlpReceiver) => JSON.stringify([logs, spans, points, resources])
  const ledger = await repo.read('.orchestration/agent_trace.jsonl')
  const hashes = [...ledger.matchAll(/"(?:content_hash|line_hashes|before|after|hash|prev)":"([^"]+)"/g)].map(
    it => it[1],
  )
  expect(hashes.length).toBeGreaterThan(5)
  for (const it of [...hashes, 'const token', 'the same error', 'make'])
    expect(sent(all).includes(it ?? ''), `${it} was sent`).toBe(false)
  expect(sent(all)).toContain('src/secret-name.ts')
  for (const it of ['secret-name', 'refused.ts', 'src/', 'lib/', 'active_intents'])
    expect(sent(pathless).includes(it), `${it} was sent without paths`).toBe(false)
  expect(pathless.logs).toHaveLength(all.logs.length)
})

test('spans that a receiver has not taken wait in the cursor, and no log is sent again for them', async () => {
  await using repo = await workedRepo()
  await using receiver = await startOtlpReceiver()
  receiver.fault = signal => (signal === 'traces' ? { status: 403 } : null)
  await expect(exportTo(repo, receiver)).rejects.toMatchObject({ code: 'export-failed' })
  receiver.fault = () => null
  const logs = receiver.logs.length
  await repo.kotef('session', 'end', 's')
  await exportTo(repo, receiver)
  expect(receiver.spans.map(it => it.name)).toEqual(['kotef.run', 'kotef.session'])
  expect(receiver.logs.length - logs).toBe(1)
})

test("a span that a receiver can't read is told and skipped, and the others arrive", async () => {
  await using repo = await workedRepo()
  await using receiver = await startOtlpReceiver()
  await repo.kotef('session', 'end', 's')
  let requests = 0
  receiver.fault = signal => (signal === 'traces' && requests++ === 0 ? { status: 400 } : null)
  const { counts, said } = await exportTo(repo, receiver)
  expect([counts.skipped, said.length]).toEqual([1, 1])
  expect(receiver.spans.map(it => it.name)).toEqual(['kotef.run'])
  expect(receiver.logs).toHaveLength((await ledgerEvents(repo)).length + 1)
})
