import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { scanWorktree, startDaemonBaseline } from '../../src/world/recording/observation/baseline.ts'
import { checkpointerOf } from '../../src/shells/daemon/checkpointer.ts'
import { blobOid } from '../../src/core/git/blob-oid.ts'
import type { Blobs } from '../../src/world/io/git/blobs.ts'
import { disk, type Files } from '../../src/world/io/files/files.ts'
import { type Git, gitIn } from '../../src/world/io/git/git.ts'
import { loadHasher } from '../../src/world/io/files/hasher.ts'
import { verifyChain } from '../rig/ledger-events.ts'
import type { WriteSource } from '../../src/core/ledger/event.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { emptyState, type WorktreeState } from '../../src/world/recording/observation/worktree-state.ts'
import { UNKNOWN_INTERVAL } from '../../src/core/authorship/change-origin/index-lock.ts'
import { evidenceNow, followGit } from '../../src/world/recording/git-evidence/git-evidence.ts'
import { observe } from '../../src/world/recording/observation/observe.ts'
import { readChainHead } from '../../src/world/ledger/append-records.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles, memoryFiles } from '../rig/brittle-files.ts'
import { manualClock } from '../rig/manual-clock.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const BEFORE = { 'a.ts': 'one\ntwo\n', 'b.ts': 'b\n', 'd.ts': 'd\n' }
/** What is done to the worktree, one batch after the other; null removes a file. */
const BATCHES: readonly Readonly<Record<string, string | null>>[] = [
  { 'a.ts': 'one\nTWO\n', 'new.ts': 'new\n' },
  { 'a.ts': 'ONE\nTWO\n', 'b.ts': null, 'b2.ts': 'b\n' },
  { 'new.ts': null, 'a.ts': 'three\n' },
]

let repo: Repo
const hasher = await loadHasher()
// Every run does the same to the same tree, so git is asked each question once.
const answers = new Map<string, Promise<unknown>>()
let state = ''

beforeAll(async () => {
  repo = await temporaryRepo(BEFORE)
  return () => repo[Symbol.asyncDispose]()
})

function remembered(git: Git): Git {
  const once = <T>(key: unknown, ask: () => Promise<T>): Promise<T> => {
    const name = JSON.stringify([state, key])
    if (!answers.has(name)) answers.set(name, ask())
    return answers.get(name) as Promise<T>
  }
  return {
    ask: query => once(query.args, () => git.ask(query)),
    tryAsk: query => once(['try', ...query.args], () => git.tryAsk(query)),
    bytes: args => once(['bytes', ...args], () => git.bytes(args)),
    streamWithInput: (args, given) => git.streamWithInput(args, given),
  }
}

/** Git's blobs, of which there are as many as files before the first batch. */
const blobs: Blobs = {
  read: async oid => {
    const text = Object.values(BEFORE).find(it => blobOid(Buffer.from(it)) === oid)
    return text === undefined ? null : Buffer.from(text)
  },
  folder: async () => null,
  readCheckedOut: async () => null,
  async [Symbol.asyncDispose]() {},
}

async function put(files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) await rm(join(repo.root, path), { force: true })
    else await repo.write(path, text)
  }
}

type Life = {
  readonly memory: WorktreeState
  look(paths: readonly string[], source?: WriteSource): Promise<unknown>
  save(): Promise<void>
}

/** What a daemon does from its start on, without what tells it of changes. */
async function begin(workspace: Workspace): Promise<Life> {
  const memory = emptyState()
  const failures: unknown[] = []
  const keeper = checkpointerOf({
    workspace,
    state: memory,
    runExclusive: work => work(),
    isInPlace: async () => true,
    failed: reason => failures.push(reason),
  })
  const observer = {
    workspace,
    state: memory,
    hasher,
    blobs,
    textBytesMax: 1_048_576,
    halt: new AbortController().signal,
    policyAt: async () => null,
    head: async () => null,
  }
  const look = async (paths: readonly string[], source: WriteSource = 'daemon') => {
    const intervals = source === 'catch-up' ? [UNKNOWN_INTERVAL] : []
    const evidence = evidenceNow(followGit({ workspace, blobs, state: memory }), { intervals })
    return observe(observer, { paths, evidence, source })
  }
  const save = async () => {
    await keeper.save()
    if (failures.length > 0) throw failures.pop()
  }
  const { missed } = await startDaemonBaseline(workspace, memory, {
    scan: await scanWorktree(workspace),
    textBytesMax: 1_048_576,
  })
  if (missed.length > 0) await look(missed, 'catch-up')
  return { memory, look, save }
}

const untilItWorks = async <T>(work: () => Promise<T>): Promise<T> => work().catch(() => work())

/** What must be so however a daemon ended, once another has caught up. */
async function faultsIn(workspace: Workspace, text: string, memory: WorktreeState | null): Promise<string[]> {
  const { entries } = readLedger(text)
  const faults = verifyChain(entries, await readChainHead(workspace)).map(it => it.message)
  const contents = new Map<string, string | null>()
  const reported = new Set<string>()
  for (const [path, before, after] of entries.flatMap(it => it.record.files).flatMap(changesOf)) {
    const known = contents.has(path) ? contents.get(path) : oidOf(BEFORE[path as keyof typeof BEFORE])
    if (known !== before) faults.push(`${path} was ${known}, and is said to have been ${before}`)
    contents.set(path, after)
    reported.add(`${path} ${after}`)
  }
  for (const path of new Set([...Object.keys(BEFORE), ...BATCHES.flatMap(it => Object.keys(it))])) {
    const now = oidOf(await readFile(join(repo.root, path), 'utf8').catch(() => undefined))
    const recorded = contents.has(path) ? contents.get(path) : oidOf(BEFORE[path as keyof typeof BEFORE])
    if (recorded !== now) faults.push(`${path} is ${now}, and is recorded as ${recorded}`)
  }
  for (const [path, { content }] of memory?.paths ?? [])
    if (!reported.has(`${path} ${content?.oid ?? null}`)) faults.push(`${path} was acknowledged, and is lost`)
  return faults
}

const oidOf = (text: string | undefined): string | null => (text === undefined ? null : blobOid(Buffer.from(text)))

type Reported = ReturnType<typeof readLedger>['entries'][number]['record']['files'][number]

function changesOf({ path, kotef }: Reported): [string, string | null, string | null][] {
  if (kotef.from === undefined) return [[path, kotef.before, kotef.after]]
  return [
    [kotef.from, kotef.before, null],
    [path, null, kotef.after],
  ]
}

test.each([
  ['and the daemon dies of it', true],
  ['and it is tried again', false],
])('whichever disk call fails, %s, the end is recorded once and nothing acknowledged is lost', async (_, dead) => {
  for (let failing = 1; ; failing++) {
    const memory = memoryFiles()
    const files = brittleFiles(memory, { failing, dead })
    const gitDir = join(repo.root, '.git')
    const git = remembered(gitIn(repo.root))
    const clock = manualClock(Date.now())
    const workspace = (by: Files): Workspace => ({ root: repo.root, gitDir, commonDir: gitDir, git, files: by, clock })
    const attempt = dead ? <T>(work: () => Promise<T>) => work() : untilItWorks
    await put({ ...BEFORE, 'new.ts': null, 'b2.ts': null })
    state = 'before'
    let life: Life | null = null
    const live = async (): Promise<void> => {
      life = await attempt(() => begin(workspace(files)))
      for (const [n, batch] of BATCHES.entries()) {
        await put(batch)
        state = `${n}`
        await attempt(() => life!.look(Object.keys(batch)))
        if (n === 1) await attempt(() => life!.save())
      }
    }
    await live().catch(() => {})
    const known = (life as Life | null)?.memory ?? null
    await (await begin(workspace(memory))).save()
    const text = memory.text(layoutOf(workspace(memory)).ledger)
    expect([failing, await faultsIn(workspace(memory), text, known)]).toEqual([failing, []])
    if (!files.hasFailed()) return
  }
})

test('a brittle disk breaks every verb that the real one has', () => {
  expect(
    Object.keys(memoryFiles())
      .filter(it => it !== 'text' && it !== 'overwrite')
      .sort(),
  ).toEqual(Object.keys(disk).sort())
})
