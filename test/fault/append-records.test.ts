import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn } from '../../src/world/io/git/git.ts'
import type { Files } from '../../src/world/io/files/files.ts'
import { verifyChain } from '../rig/ledger-events.ts'
import type { RecordDraft, TraceRecord } from '../../src/core/ledger/record.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { readChainHead, appendRecords } from '../../src/world/ledger/append-records.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles, memoryFiles } from '../rig/brittle-files.ts'
import { manualClock } from '../rig/manual-clock.ts'
import { temporaryRepo, type Repo } from '../rig/repo.ts'

const started = (intent: string): RecordDraft => ({ event: { event: 'session-started', session: 's', intent } })
const wanted = ['INT-1', 'INT-2', 'INT-3', 'INT-4']

function workspaceIn(repo: Repo, files: Files, clock = manualClock()): Workspace {
  const gitDir = join(repo.root, '.git')
  return { root: repo.root, gitDir, commonDir: gitDir, git: gitIn(repo.root), files, clock }
}

/** The intents of the records that a ledger has. */
function intentsIn(text: string): unknown[] {
  return readLedger(text).entries.map(it => (it.record.metadata['dev.kotef'] as { intent?: string }).intent)
}

test.each([
  ['and everything after it', true],
  ['and the next works again', false],
])('whichever disk call fails, %s, no acknowledged record is lost and appending goes on', async (_, dead) => {
  await using repo = await temporaryRepo()
  for (let failing = 1; ; failing++) {
    const memory = memoryFiles()
    const clock = manualClock()
    const files = brittleFiles(memory, { failing, dead })
    const brittle = workspaceIn(repo, files, clock)
    const { ledger } = layoutOf(brittle)
    const acknowledged: string[] = []
    for (const intent of wanted)
      await appendRecords(brittle, [started(intent)]).then(
        () => acknowledged.push(intent),
        () => {},
      )
    const healthy = workspaceIn(repo, memory, clock)
    await appendRecords(healthy, [started('INT-9')])
    const found = intentsIn(memory.text(ledger))
    expect([failing, [...acknowledged, 'INT-9'].filter(it => !found.includes(it))]).toEqual([failing, []])
    const { entries } = readLedger(memory.text(ledger))
    expect([failing, verifyChain(entries, await readChainHead(healthy))]).toEqual([failing, []])
    if (!files.hasFailed()) return
  }
})

test('a write of several records that fails at any byte acknowledges those that arrived, and no other', async () => {
  await using repo = await temporaryRepo()
  let length = Infinity
  for (let cut = 0; cut <= length; cut += 7) {
    const memory = memoryFiles()
    const clock = manualClock()
    const append = async (path: string, bytes: Buffer) => {
      if (!path.endsWith('.jsonl') || bytes.length === 0) return memory.append(path, bytes)
      length = bytes.length
      await memory.append(path, bytes.subarray(0, cut))
      throw new Error('no space left')
    }
    const full = workspaceIn(repo, { ...memory, append }, clock)
    const acknowledged: unknown[] = []
    const note = (it: TraceRecord) => acknowledged.push((it.metadata['dev.kotef'] as { intent?: string }).intent)
    await expect(appendRecords(full, wanted.map(started), { acknowledged: note, head: null })).rejects.toThrow()
    const healthy = workspaceIn(repo, memory, clock)
    const { ledger } = layoutOf(healthy)
    expect([cut, intentsIn(memory.text(ledger))]).toEqual([cut, acknowledged])
    await appendRecords(healthy, wanted.slice(acknowledged.length).map(started), { head: null })
    expect([cut, intentsIn(memory.text(ledger))]).toEqual([cut, wanted])
    expect([cut, verifyChain(readLedger(memory.text(ledger)).entries, await readChainHead(healthy))]).toEqual([cut, []])
  }
})

test('when a later write of a long list fails, the records of the writes before it are acknowledged', async () => {
  await using repo = await temporaryRepo()
  const all = Array.from({ length: 1_000 }, (_, n) => `INT-${n}`)
  for (let failing = 1; failing <= 3; failing++) {
    const memory = memoryFiles()
    let writes = 0
    const append = async (path: string, bytes: Buffer) => {
      if (path.endsWith('.jsonl') && bytes.length > 0 && ++writes === failing) throw new Error('no space left')
      await memory.append(path, bytes)
    }
    const clock = manualClock()
    const full = workspaceIn(repo, { ...memory, append }, clock)
    const acknowledged: unknown[] = []
    const note = (it: TraceRecord) => acknowledged.push((it.metadata['dev.kotef'] as { intent?: string }).intent)
    await expect(appendRecords(full, all.map(started), { acknowledged: note, head: null })).rejects.toThrow()
    const healthy = workspaceIn(repo, memory, clock)
    const { ledger } = layoutOf(healthy)
    expect([failing, intentsIn(memory.text(ledger))]).toEqual([failing, acknowledged])
    expect([failing, acknowledged.length > 0]).toEqual([failing, failing > 1])
    await appendRecords(healthy, all.slice(acknowledged.length).map(started), { head: null })
    expect([failing, intentsIn(memory.text(ledger))]).toEqual([failing, all])
    const { entries } = readLedger(memory.text(ledger))
    expect([failing, verifyChain(entries, await readChainHead(healthy))]).toEqual([failing, []])
  }
})

test('a ledger cut at any byte of its last two lines is appended to, and only the cut line is lost', async () => {
  await using repo = await temporaryRepo()
  const memory = memoryFiles()
  const workspace = workspaceIn(repo, memory)
  const { ledger } = layoutOf(workspace)
  await appendRecords(workspace, wanted.map(started))
  const whole = Buffer.from(memory.text(ledger))
  const lines = memory.text(ledger).trimEnd().split('\n')
  for (let cut = Buffer.byteLength(`${lines[0]}\n${lines[1]}\n`); cut <= whole.length; cut++) {
    memory.overwrite(ledger, whole.subarray(0, cut))
    const complete = intentsIn(memory.text(ledger))
    await appendRecords(workspace, [started('INT-9')], { head: null })
    expect([cut, intentsIn(memory.text(ledger))]).toEqual([cut, [...complete, 'INT-9']])
  }
})

test('six processes that append at once lose nothing and break no chain', async () => {
  await using repo = await temporaryRepo({ 'a.txt': 'a' })
  await repo.kotef('init', '--yes')
  const ids = Array.from({ length: 6 }, (_, n) => `INT-${n + 10}`)
  const added = await Promise.all(
    ids.map(id => repo.kotef('intent', 'add', '--id', id, '--name', id, '--scope', `${id}/**`)),
  )
  expect(added.map(it => it.stderr).join('')).toBe('')
  const text = await repo.read('.orchestration/agent_trace.jsonl')
  expect(
    intentsIn(text)
      .filter(it => it !== undefined)
      .sort(),
  ).toEqual(ids)
  expect((await repo.kotef('trace', 'verify')).code).toBe(0)
})

test('a ledger that went away under both names is told of, and the chain goes on', async () => {
  await using repo = await temporaryRepo()
  const memory = memoryFiles()
  const workspace = workspaceIn(repo, memory)
  const { ledger, keptLedger } = layoutOf(workspace)
  await appendRecords(workspace, wanted.map(started))
  await memory.remove(ledger)
  await memory.remove(keptLedger)
  await appendRecords(workspace, [started('INT-9')])
  const { entries } = readLedger(memory.text(ledger))
  expect(verifyChain(entries, await readChainHead(workspace)).map(it => it.rule)).toEqual(['ledger-gap'])
})
