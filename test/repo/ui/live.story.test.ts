import { appendFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { liveFrames, liveStream } from '../../../src/shells/ui/server/live-stream.ts'
import { liveSource } from '../../../src/shells/ui/server/live-source.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { type FollowedEvents, startPageServer } from '../../rig/page-server.ts'
import type { Repo } from '../../rig/repo.ts'

const ledgerOf = (repo: Repo) => join(repo.root, '.orchestration/agent_trace.jsonl')
const sizeOf = async (repo: Repo) => (await stat(ledgerOf(repo))).size

/** Appends records with these messages. */
async function report(repo: Repo, ...messages: string[]): Promise<void> {
  const events = messages.map(message => ({ event: { event: 'problem', path: null, message } as const }))
  await appendRecords(await openWorkspace(repo.root), events)
}

const messagesOf = ({ events }: FollowedEvents) =>
  events.flatMap(it => (it.event === 'record' ? [(JSON.parse(it.data) as { detail: string }).detail] : []))

const kindsOf = ({ events }: FollowedEvents) => events.map(it => it.event)

test('a new record is an event, and its id is the byte from which a client goes on', async () => {
  await using repo = await governedRepo()
  await using server = await startPageServer(repo)
  using first = await server.follow('events')
  expect(first.status).toBe(200)
  await report(repo, 'one')
  await expect.poll(() => messagesOf(first)).toEqual(['one'])
  expect(first.events.find(it => it.event === 'record')?.id).toBe(String(await sizeOf(repo)))
  const id = first.events.at(-1)?.id ?? ''
  await report(repo, 'two', 'three\u001b[2J')
  using second = await server.follow('events?from=0', { 'last-event-id': id })
  await expect.poll(() => messagesOf(second)).toEqual(['two', 'three\u001b[2J'])
  await expect.poll(() => messagesOf(first)).toEqual(['one', 'two', 'three\u001b[2J'])
})

test('a stream from a byte of the ledger has all records after it, each once, also violations', async () => {
  await using repo = await governedRepo()
  await using server = await startPageServer(repo)
  const message = 'out of scope'
  const violation = { event: 'violation', rule: 'r', path: 'a', intent: null, message } as const
  await appendRecords(await openWorkspace(repo.root), [{ event: violation }])
  using stream = await server.follow('events?from=0')
  await expect.poll(() => kindsOf(stream)).toContain('violation')
  const { length } = (await repo.read('.orchestration/agent_trace.jsonl')).trimEnd().split('\n')
  expect(kindsOf(stream)).toHaveLength(length)
})

test('a line is sent when it is whole, and a line that is not a record is left out', async () => {
  await using repo = await governedRepo()
  await using server = await startPageServer(repo)
  using stream = await server.follow('events')
  await appendFile(ledgerOf(repo), '{"half":')
  await appendFile(ledgerOf(repo), 'no}\n')
  await report(repo, 'whole')
  await expect.poll(() => messagesOf(stream)).toEqual(['whole'])
})

test('a client that missed very much, or that knows another ledger, is to read the page again', async () => {
  await using repo = await governedRepo()
  await using server = await startPageServer(repo)
  using ahead = await server.follow('events?from=99999999')
  await expect.poll(() => kindsOf(ahead)).toEqual(['gap'])
  using open = await server.follow('events')
  await report(repo, 'before')
  await expect.poll(() => messagesOf(open)).toEqual(['before'])
  await truncate(ledgerOf(repo), 100)
  await expect.poll(() => kindsOf(open)).toContain('gap')
  await appendFile(ledgerOf(repo), `${'x'.repeat(2_000_000)}\n`)
  using far = await server.follow('events?from=0')
  await expect.poll(() => kindsOf(far)).toEqual(['gap'])
})

test('a change of sessions, intents or HEAD is an event', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using server = await startPageServer(repo)
  using stream = await server.follow('events')
  const states = () => kindsOf(stream).filter(it => it === 'state').length
  await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-002', '--name', 'more', '--scope', 'lib/**')
  await expect.poll(states).toBeGreaterThan(0)
  const before = states()
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--allow-empty', '-m', 'more')
  await expect.poll(states).toBeGreaterThan(before)
})

test('many clients each have all events, and one that reads nothing delays none of them', async () => {
  await using repo = await governedRepo()
  await using server = await startPageServer(repo)
  const streams = await Promise.all(Array.from({ length: 40 }, () => server.follow('events')))
  const [slow, ...others] = streams
  slow?.pause()
  const words = Array.from({ length: 300 }, (_, n) => `${n} ${'long '.repeat(200)}`)
  await report(repo, ...words)
  await expect.poll(() => others.every(it => messagesOf(it).length === 300)).toBe(true)
  expect(others.every(it => messagesOf(it).join() === words.map(w => w.trim()).join())).toBe(true)
  expect(slow && messagesOf(slow).length).toBeLessThan(300)
  slow?.resume()
  await expect.poll(() => slow && messagesOf(slow).length).toBe(300)
  for (const it of streams) it[Symbol.dispose]()
})

test('more streams than a browser ever has are refused', async () => {
  await using repo = await governedRepo()
  await using server = await startPageServer(repo)
  const streams = await Promise.all(Array.from({ length: 64 }, () => server.follow('events')))
  using refused = await server.follow('events')
  expect(refused.status).toBe(503)
  streams[0]?.[Symbol.dispose]()
  await expect
    .poll(async () => {
      using again = await server.follow('events')
      return again.status
    })
    .toBe(200)
  for (const it of streams) it[Symbol.dispose]()
})

test('a part of a stream is made when the client asks for it, and a quiet stream shows that it is alive', async () => {
  await using repo = await governedRepo()
  const source = liveSource(await openWorkspace(repo.root))
  let parts = 0
  const counting = { ...source, ledgerPart: (from: number) => (parts++, source.ledgerPart(from)) }
  const frames = liveFrames(counting, await sizeOf(repo), 5)
  expect((await frames.next()).value).toBe('retry: 1000\n\n')
  expect(parts).toBe(0)
  expect((await frames.next()).value).toBe(': alive\n\n')
  frames.cancel()
  expect((await frames.next()).done).toBe(true)
  source[Symbol.dispose]()
})

test('nothing is read for a client that reads nothing', async () => {
  await using repo = await governedRepo()
  const source = liveSource(await openWorkspace(repo.root))
  let parts = 0
  const counting = { ...source, ledgerPart: (from: number) => (parts++, source.ledgerPart(from)) }
  const slow = liveStream(counting, { from: 0 })
  const quick = liveStream(source, { from: 0 }).getReader()
  // The other client has its first records meanwhile.
  for (let n = 0; n < 2; n++) await quick.read()
  expect(parts).toBe(0)
  const reader = slow.getReader()
  for (let n = 0; n < 2; n++) await reader.read()
  expect(parts).toBe(1)
  await Promise.all([reader.cancel(), quick.cancel()])
  source[Symbol.dispose]()
})
