import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import { verifyChain } from '../../rig/ledger-events.ts'
import { readLedger } from '../../../src/core/ledger/read-ledger.ts'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { askDaemon, flushDaemon } from '../../../src/world/io/daemon-client/ask-daemon.ts'
import { readChainHead } from '../../../src/world/ledger/append-records.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { type Random, randomFrom } from '../../rig/random.ts'
import type { Repo } from '../../rig/repo.ts'

const ROUNDS = 8
const FILES = Array.from({ length: 40 }, (_, n) => `src/f${n}.ts`)

test('a daemon killed under load loses nothing that it has told of, and the next records the rest', async () => {
  const seed = Date.now() % 1_000_000
  const random = randomFrom(seed)
  await using repo = await governedRepo()
  const workspace = await openWorkspace(repo.root)
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const daemon = repo.start('kotef-watch')
    await daemon.line(/kotef is watching/)
    const reported = collect(workspace, acknowledged)
    // By the number of records that were told: a time would always be the same moment of a slow machine.
    const until = acknowledged.length + 1 + random.below(20)
    let caughtUp: Promise<unknown> = Promise.resolve()
    for (let n = 0; acknowledged.length < until; n++) {
      for (let more = 1 + random.below(8); more > 0; more--) await workAt(repo, random, `${round} ${n} ${more}`)
      // The daemon needs the processor as well, but always has something before it.
      await caughtUp
      caughtUp = flushDaemon(workspace, 30_000).catch(() => {})
    }
    daemon.signal('SIGKILL')
    await Promise.all([daemon.ended, reported])
    await workAt(repo, random, `${round} while nobody watches`)
  }
  await using _last = await startWatching(repo)
  await flushedWrites(repo)
  const { entries, problems } = readLedger(await repo.read('.orchestration/agent_trace.jsonl'))
  const ids = new Set(entries.map(it => it.record.id))
  expect({
    seed,
    lost: acknowledged.filter(it => !ids.has(it)),
    chain: verifyChain(entries, await readChainHead(workspace)),
    // Half a line of a killed writer is closed by the next one; nothing of it had been told.
    damaged: problems.filter(it => it.expected !== 'a ledger record'),
    breaks: await breaksIn(
      repo,
      entries.map(it => it.record),
    ),
  }).toEqual({ seed, lost: [], chain: [], damaged: [], breaks: [] })
})

/** Notes the id of each record that the daemon tells of, until it is gone. */
async function collect(workspace: Workspace, ids: string[]): Promise<void> {
  const events = await askDaemon(workspace, { ask: 'events' })
  for await (const record of events ?? []) ids.push((record as TraceRecord).id)
}

async function workAt(repo: Repo, random: Random, text: string): Promise<void> {
  const path = random.pick(FILES)
  if (random.below(5) === 0) await rm(join(repo.root, path), { force: true })
  else await repo.write(path, `${text}\n`.repeat(1 + random.below(50)))
}

/** Where a file's records do not follow on one another, or do not end with what is on disk. */
async function breaksIn(repo: Repo, records: readonly TraceRecord[]): Promise<string[]> {
  const breaks: string[] = []
  const contents = new Map<string, string | null>()
  const step = (path: string, before: string | null, after: string | null): void => {
    const known = contents.get(path) ?? null
    if (known !== before || before === after) breaks.push(`${path}: ${known}, then ${before} -> ${after}`)
    contents.set(path, after)
  }
  for (const { path, kotef } of records.flatMap(it => it.files)) {
    if (kotef.from !== undefined) step(kotef.from, kotef.before, null)
    step(path, kotef.from === undefined ? kotef.before : null, kotef.after)
  }
  const onDisk = new Set((await readdir(join(repo.root, 'src'))).map(it => `src/${it}`))
  for (const path of FILES) {
    const oid = onDisk.has(path) ? blobOid(await readFile(join(repo.root, path))) : null
    if ((contents.get(path) ?? null) !== oid) breaks.push(`${path} holds ${oid}, and its last record says otherwise`)
  }
  return breaks
}
