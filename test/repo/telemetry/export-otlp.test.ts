import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../rig/otlp-receiver.ts'
import { appendWrites, receivedUids, repoWithWrites, writeUids } from '../../rig/telemetry-export.ts'

const wordsFor = ({ url }: OtlpReceiver, ...more: string[]) => ['export', 'otlp', '--endpoint', url, ...more]

test('kotef export otlp sends the ledger, and says what it has sent', async () => {
  await using repo = await repoWithWrites(3)
  await using receiver = await startOtlpReceiver()
  const first = await repo.kotef(...wordsFor(receiver))
  expect([first.code, first.stdout, first.stderr]).toEqual([
    ...[0, `Exported to ${receiver.url}: 3 records, 0 spans, 4 counters.\n`, ''],
  ])
  const again = await repo.kotef(...wordsFor(receiver, '--json'))
  expect(JSON.parse(again.stdout)).toEqual({
    ...{ endpoint: receiver.url, records: 0, spans: 0, points: 4, skipped: 0, rejected: 0, damaged: 0 },
  })
  const { stderr } = await repo.kotef(...wordsFor(receiver, '--since', 'yesterday'))
  expect(stderr).toContain('An earlier export has begun here')
  expect(receivedUids(receiver)).toEqual(writeUids(3))
})

test('the receiver can be named by the variable of OpenTelemetry, and something else is refused', async () => {
  await using repo = await repoWithWrites(1)
  await using receiver = await startOtlpReceiver()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const { stdout, stderr } = await repo.run('kotef', ['export', 'otlp'], { env })
  expect(stdout).toMatch(`Exported to ${receiver.url}: 1 record`)
  expect(stderr).toContain('kotef sends http/protobuf')
  for (const words of [[], ['--endpoint', 'localhost:4318'], ['--endpoint', 'http://a/?token=b']])
    expect((await runCli(repo, 'export', 'otlp', ...words)).failure?.code).toBe('usage')
})

test('a password in the address reaches the receiver, and is printed nowhere', async () => {
  await using repo = await repoWithWrites(1)
  await using receiver = await startOtlpReceiver()
  const { stdout, stderr } = await repo.kotef(
    ...['export', 'otlp', '--endpoint', receiver.url.replace('//', '//ada:s3cret@')],
  )
  expect(receiver.headers[0]?.authorization).toBe(`Basic ${Buffer.from('ada:s3cret').toString('base64')}`)
  expect(stdout + stderr).not.toContain('s3cret')
})

test('a second export to a receiver is refused while one follows, and SIGTERM ends that cleanly', async () => {
  await using repo = await repoWithWrites(3)
  await using receiver = await startOtlpReceiver()
  await using following = repo.start('kotef', wordsFor(receiver, '--follow', '--json'))
  expect(JSON.parse(await following.line(/records/))).toMatchObject({ records: 3 })
  const second = await runCli(repo, ...wordsFor(receiver))
  expect([second.failure?.code, second.exit]).toEqual(['export-running', 3])
  expect(second.text).toContain(`(pid ${following.pid})`)
  await appendWrites(repo, { from: 3, to: 5 })
  expect(JSON.parse(await following.line(/records/))).toMatchObject({ records: 5 })
  following.signal('SIGTERM')
  expect(await following.ended).toEqual({ code: 0, signal: null })
  expect(receiver.points.filter(it => it.metric === 'kotef.writes').at(-1)?.value).toBe(5)
  expect(await readdir(join(repo.root, '.git/kotef/export'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/)])
  await repo.kotef(...wordsFor(receiver))
  expect(receivedUids(receiver)).toEqual(writeUids(5))
})

test('an export that is killed at any moment goes on, and sends again only what had no answer', async () => {
  await using repo = await repoWithWrites(3_000)
  await using receiver = await startOtlpReceiver()
  for (const request of [0, 2, 1]) {
    let requests = 0
    await using killed = repo.start('kotef', wordsFor(receiver))
    receiver.fault = signal => {
      if (signal !== 'logs' || requests++ !== request) return null
      killed.signal('SIGKILL')
      return 'silent'
    }
    expect((await killed.ended).signal).toBe('SIGKILL')
  }
  receiver.fault = () => null
  expect((await repo.kotef(...wordsFor(receiver))).code).toBe(0)
  const [all, seen] = [receivedUids(receiver), new Set<string>()]
  const twice = all.filter(it => seen.has(it) || !seen.add(it))
  expect([seen.size, twice.length > 0]).toEqual([3_000, true])
  expect(twice.filter(it => !receiver.unanswered.includes(it))).toEqual([])
})

test('an export that follows a ledger ends when its repository is gone', async () => {
  await using repo = await repoWithWrites(1)
  await using receiver = await startOtlpReceiver()
  await using following = repo.start('kotef', wordsFor(receiver, '--follow'), { cwd: repo.root })
  await following.line(/Exported 1 record/)
  await repo.run('sh', ['-c', 'rm -rf .git'])
  await following.line(/is gone, so there is nothing more to export/)
  expect((await following.ended).code).toBe(3)
})
