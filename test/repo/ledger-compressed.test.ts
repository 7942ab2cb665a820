import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import { compressLedger } from '../../src/world/ledger/compress-ledger.ts'
import { openLedger } from '../../src/world/ledger/open-ledger.ts'
import { queryLedger } from '../../src/world/ledger/query-ledger.ts'
import { ledgerHashes, readLedgerInParts } from '../../src/world/ledger/read-in-parts.ts'
import { checkLedger, ledgerNotes } from '../../src/world/setup/doctor/check-ledger.ts'
import { closeLedger } from '../../src/world/verify/close-ledger.ts'
import { inspectLedger } from '../../src/world/verify/inspect-ledger.ts'
import { folderContents } from '../rig/installation.ts'
import { ids, report } from '../rig/numbered-records.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { SMALL_SIZES } from '../rig/small-ledger-sizes.ts'

async function grownLedger() {
  const repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const workspace = await openWorkspace(repo.root)
  await report(workspace, 0, 100)
  return { repo, workspace, parts: join(layoutOf(workspace).own, 'agent_trace.parts') }
}

async function contentOf(workspace: Workspace): Promise<string> {
  await using ledger = await openLedger(workspace)
  return ledger ? (await ledger.read(0, ledger.size)).toString('utf8') : ''
}

async function answers(workspace: Workspace, size: number) {
  const entries: unknown[] = []
  for await (const stretch of readLedgerInParts(workspace, 0)) entries.push(...stretch.entries)
  const query = (wanted: object) => queryLedger(workspace, { wanted, limit: 40 })
  return {
    entries,
    queries: [await query({}), await query({ intent: 'INT-1' }), await query({ event: 'intent-added' })],
    hashes: await ledgerHashes(workspace, [0, 500, size - 1, size]),
    state: await inspectLedger(workspace, []),
  }
}

const plainFile = (repo: Repo) => repo.read('.orchestration/agent_trace.jsonl')

test('the beginning of a grown ledger is compressed, and every question has the same answer', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  const text = await contentOf(workspace)
  const before = await answers(workspace, text.length)
  await compressLedger(workspace, SMALL_SIZES)
  const names = (await readdir(parts)).sort((a, b) => parseInt(a) - parseInt(b))
  expect(names.length).toBeGreaterThan(5)
  expect((await plainFile(repo)).length).toBeLessThan(SMALL_SIZES.plain + SMALL_SIZES.part + 1_000)
  expect(await contentOf(workspace)).toBe(text)
  expect(await answers(workspace, text.length)).toEqual(before)
  const { stdout } = await repo.run(
    'zcat',
    names.map(it => join(parts, it)),
  )
  expect(stdout).toBe(text.slice(0, stdout.length))
  expect(stdout.endsWith('\n')).toBe(true)
})

test('records are appended after it, and it is compressed again as it grows', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  for (let n = 100; n < 400; n += 50) {
    const [, writing] = await Promise.all([compressLedger(workspace, SMALL_SIZES), report(workspace, n, n + 50)])
    expect(writing).toBe(undefined)
  }
  await compressLedger(workspace, SMALL_SIZES)
  const { records, problems, broken } = await inspectLedger(workspace, [])
  expect([records, problems, broken]).toEqual([400, [], []])
  const { records: found } = await queryLedger(workspace, { wanted: { intent: 'INT-2' }, limit: null })
  expect(new Set(ids(found)).size).toBe(133)
  expect((await contentOf(workspace)).split('\n')).toHaveLength(401)
  expect((await readdir(parts)).length).toBeGreaterThan(30)
})

test('a ledger that is not large is left as it is', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  const text = await plainFile(repo)
  await compressLedger(workspace)
  expect(await plainFile(repo)).toBe(text)
  await expect(readdir(parts)).rejects.toThrow('ENOENT')
})

test.each([
  ['missing', (path: string) => rm(path)],
  ['damaged', (path: string) => writeFile(path, 'no gzip')],
  ['another one', (path: string) => writeFile(path, gzipSync('{}\n'))],
])(
  'of a part that is %s, the lines around it are read, and trace verify and the doctor say what is lost',
  async (_, harm) => {
    const { repo, workspace, parts } = await grownLedger()
    await using _repo = repo
    await compressLedger(workspace, SMALL_SIZES)
    const [, , third = ''] = (await readdir(parts)).sort((a, b) => parseInt(a) - parseInt(b))
    const lost = gunzipSync(await readFile(join(parts, third)))
      .toString()
      .split('\n')
    await harm(join(parts, third))
    const { records } = await queryLedger(workspace, { wanted: {}, limit: null })
    expect(records).toHaveLength(100 - (lost.length - 1))
    const verified = await repo.kotef('trace', 'verify', '--json')
    expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining('"ledger-gap"')])
    expect((await checkLedger(workspace)).map(it => it.message).join('\n')).toContain(
      `missing or damaged: ${join(parts, third)}`,
    )
  },
)

test('without its parts, a ledger says which records are missing', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  await compressLedger(workspace, SMALL_SIZES)
  await rm(parts, { recursive: true })
  expect((await inspectLedger(workspace, [])).broken.map(it => it.rule)).toContain('ledger-gap')
})

test('parts of which the ledger does not know any more are not removed when it grows again', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  await compressLedger(workspace, SMALL_SIZES)
  const [last = ''] = (await readdir(parts)).sort((a, b) => parseInt(b) - parseInt(a))
  await rm(join(parts, last))
  const left = await folderContents(parts)
  await report(workspace, 100, 200)
  await compressLedger(workspace, SMALL_SIZES)
  expect(await folderContents(parts)).toEqual(left)
})

test('a damaged ledger is set aside with its parts, and the next one begins without them', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  await compressLedger(workspace, SMALL_SIZES)
  const names = await readdir(parts)
  await writeFile(join(repo.root, '.orchestration/agent_trace.jsonl'), `${await plainFile(repo)}no record\n`)
  await closeLedger(workspace, 'torn')
  const own = await readdir(layoutOf(workspace).own)
  const aside = own.find(it => /^agent_trace\.\d.*\.parts$/.test(it)) ?? ''
  expect(await readdir(join(layoutOf(workspace).own, aside))).toEqual(names)
  expect(own).not.toContain('agent_trace.parts')
  expect((await inspectLedger(workspace, [])).broken).toEqual([])
  await report(workspace, 0, 100)
  await compressLedger(workspace, SMALL_SIZES)
  expect((await inspectLedger(workspace, [])).records).toBe(101)
})

test('status and the doctor say how large a ledger is, and where its beginning is', async () => {
  const { repo, workspace, parts } = await grownLedger()
  await using _repo = repo
  const before = JSON.parse((await repo.kotef('status', '--json')).stdout) as { ledger: { extent: object } }
  expect(before.ledger.extent).toMatchObject({ compressed: 0, bytes: expect.any(Number) as number })
  await compressLedger(workspace, SMALL_SIZES)
  const { ledger } = JSON.parse((await repo.kotef('status', '--json')).stdout) as typeof before
  expect(ledger.extent).toMatchObject({ compressed: expect.any(Number) as number })
  expect((await ledgerNotes(workspace)).map(it => it.message)).toEqual([
    expect.stringContaining(`its beginning is in ${parts}`) as string,
  ])
})
