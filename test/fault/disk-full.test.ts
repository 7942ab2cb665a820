import { expect, test } from 'vitest'
import { systemClock } from '../../src/world/io/process/clock.ts'
import { disk, type Files } from '../../src/world/io/files/files.ts'
import { verifyChain } from '../rig/ledger-events.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { readChainHead } from '../../src/world/ledger/append-records.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { startInProcessDaemon } from '../rig/in-process-daemon.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

/** The paths that were written, in the order of the ledger, and what its chain has against it. */
async function ledgerIn(repo: Repo) {
  const { entries } = readLedger(await repo.read('.orchestration/agent_trace.jsonl'))
  const head = await readChainHead(await openWorkspace(repo.root))
  return { paths: entries.flatMap(it => it.record.files.map(of => of.path)), chain: verifyChain(entries, head) }
}

/** The real disk, on which nothing more finds room while `isFull` says so; what is appended gets as far as half. */
function fillingDisk(isFull: () => boolean): Files {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  return {
    ...disk,
    append: async (path, bytes) => {
      await disk.append(path, isFull() ? bytes.subarray(0, bytes.length >> 1) : bytes)
      if (isFull()) throw full
    },
    put: async (path, bytes) => (isFull() ? Promise.reject(full) : disk.put(path, bytes)),
    replace: async (path, bytes, mode) => (isFull() ? Promise.reject(full) : disk.replace(path, bytes, mode)),
  }
}

test('while the disk is full the daemon says so and tries again, and then everything is recorded once', async () => {
  let isFull = false
  await using repo = await governedRepo()
  await using daemon = await startInProcessDaemon(repo, { files: fillingDisk(() => isFull) })
  await repo.write('src/before.ts', 'x\n')
  await daemon.flush()
  isFull = true
  await repo.write('src/while.ts', 'x\n')
  expect(await daemon.event('problem')).toMatchObject({ message: expect.stringContaining('no space left') })
  isFull = false
  await repo.write('src/after.ts', 'x\n')
  await daemon.flush()
  const { paths, chain } = await ledgerIn(repo)
  expect([paths.sort(), chain]).toEqual([['src/after.ts', 'src/before.ts', 'src/while.ts'], []])
})

test.each([
  ['back', -5],
  ['forward', 5],
])('a clock that is set %s by hours holds nothing up and loses nothing', async (_, hours) => {
  let skewMs = 0
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using daemon = await startInProcessDaemon(repo, { clock: { ...systemClock, now: () => Date.now() + skewMs } })
  await repo.write('src/a.ts', 'a\nb\n')
  skewMs = hours * 3_600_000
  await repo.write('src/b.ts', 'b\n')
  await repo.write('src/empty.ts', '')
  await daemon.flush()
  const { paths, chain } = await ledgerIn(repo)
  expect([paths.sort(), chain]).toEqual([['src/a.ts', 'src/b.ts', 'src/empty.ts'], []])
})

test('a disk that fills behind a write that is out of scope keeps the violation with it', async () => {
  let isFull = false
  await using repo = await governedRepo({}, { agent: 'aider' })
  const full = fillingDisk(() => isFull)
  const append: Files['append'] = async (path, bytes, options) => {
    if (isFull) return full.append(path, bytes, options)
    await disk.append(path, bytes, options)
    isFull = bytes.includes('"event":"write"')
  }
  await using daemon = await startInProcessDaemon(repo, { files: { ...full, append } })
  await repo.write('lib/x.ts', 'x\n')
  await expect.poll(() => isFull).toBe(true)
  isFull = false
  await daemon.flush()
  const { entries } = readLedger(await repo.read('.orchestration/agent_trace.jsonl'))
  const own = entries.map(it => it.record.metadata['dev.kotef'])
  const [write] = entries.filter(it => it.record.files.length > 0)
  expect(own.filter(it => it.event === 'violation')).toMatchObject([
    { rule: 'in-scope', path: 'lib/x.ts', record: write?.record.id },
  ])
})
