import { appendFile, copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import { matchesFilter, type RecordFilter } from '../../src/core/ledger/record-filter.ts'
import { queryLedger } from '../../src/world/ledger/query-ledger.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import { ids, report } from '../rig/numbered-records.ts'
import { temporaryRepo } from '../rig/repo.ts'

/** What a question finds, held against a reading of all lines. */
async function expectTrue(workspace: Workspace, wanted: RecordFilter, limit: number | null = null): Promise<void> {
  const { entries, problems } = readLedger(await readFile(layoutOf(workspace).ledger, 'utf8'))
  const all = entries.map(it => it.record).filter(it => matchesFilter(it, wanted))
  const records = limit === null ? all : all.slice(-limit)
  const found = await queryLedger(workspace, { wanted, limit })
  expect({ ...found, records: ids(found.records) }).toEqual({
    records: ids(records),
    older: all.length - records.length,
    problems,
  })
}

async function opened() {
  const repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const workspace = await openWorkspace(repo.root)
  const catalogue = join(layoutOf(workspace).own, 'catalogue')
  await report(workspace, 0, 10)
  return { repo, workspace, ledger: layoutOf(workspace).ledger, catalogue }
}

/** Changes the largest segment of a catalogue. */
async function changeSegment(catalogue: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const names = await readdir(catalogue)
  const sizes = await Promise.all(names.map(async it => (await stat(join(catalogue, it))).size))
  const path = join(catalogue, names[sizes.indexOf(Math.max(...sizes))] ?? '')
  await writeFile(path, change(await readFile(path)))
}

test('what was written since the last question is found, and only that is added', async () => {
  const { repo, workspace, catalogue } = await opened()
  await using _repo = repo
  await expectTrue(workspace, { intent: 'INT-1' })
  const [first = ''] = await readdir(catalogue)
  const before = await stat(join(catalogue, first))
  await report(workspace, 10, 12)
  await expectTrue(workspace, { intent: 'INT-1' })
  await expectTrue(workspace, {}, 3)
  await expectTrue(workspace, { intent: 'INT-2' }, 100)
  expect(await readdir(catalogue)).toHaveLength(2)
  expect((await stat(join(catalogue, first))).ino).toBe(before.ino)
})

test('however a ledger grew, few segments hold it, and they find what is there', async () => {
  const { repo, workspace, catalogue } = await opened()
  await using _repo = repo
  for (let lines = 10; lines < 130; lines += 1 + (lines % 7)) {
    await report(workspace, lines, lines + 1 + (lines % 7))
    await expectTrue(workspace, { intent: `INT-${lines % 3}` }, 1 + (lines % 5))
  }
  await expectTrue(workspace, {})
  expect((await readdir(catalogue)).length).toBeLessThan(6)
})

test('a question that finds little reads little', async () => {
  const { repo, workspace, ledger } = await opened()
  await using _repo = repo
  await expectTrue(workspace, {})
  // Lines that are not asked for could hold anything: of the same length, so that the others stay where they are.
  const lines = (await readFile(ledger, 'utf8')).split('\n')
  const [first = ''] = lines
  await writeFile(ledger, [`x${first.slice(1)}`, ...lines.slice(1)].join('\n'))
  const { records, older, problems } = await queryLedger(workspace, { wanted: {}, limit: 2 })
  expect([records.length, older, problems.length]).toEqual([2, 8, 0])
})

test.each<[string, (at: Awaited<ReturnType<typeof opened>>) => Promise<unknown>]>([
  ['is gone', ({ catalogue }) => rm(catalogue, { recursive: true })],
  ['is a file', ({ catalogue }) => rm(catalogue, { recursive: true }).then(() => writeFile(catalogue, 'x'))],
  ['is something else', ({ catalogue }) => changeSegment(catalogue, () => Buffer.alloc(1_000, 'x'))],
  ['has other files', ({ catalogue }) => writeFile(join(catalogue, '0-99999999'), 'x')],
  ['has lost its end', ({ catalogue }) => changeSegment(catalogue, it => it.subarray(0, -7))],
  ['is empty', ({ catalogue }) => changeSegment(catalogue, () => Buffer.alloc(0))],
  ['is all zeros', ({ catalogue }) => changeSegment(catalogue, it => Buffer.alloc(it.length))],
  ['is of another format', ({ catalogue }) => changeSegment(catalogue, it => it.fill(it.at(0)! ^ 1, 0, 1))],
  ['is zeros behind its head', ({ catalogue }) => changeSegment(catalogue, it => it.fill(0, 160))],
  ['is of a longer ledger', async ({ ledger }) => writeFile(ledger, (await readFile(ledger)).subarray(0, -700))],
  [
    'is of another ledger',
    async ({ ledger }) => writeFile(ledger, (await readFile(ledger, 'utf8')).replaceAll('INT-', 'ANT-')),
  ],
  ['does not know of damage', ({ ledger }) => appendFile(ledger, 'no record\n{"half":')],
  ['does not know of a line that came twice', ({ ledger }) => doubled(ledger)],
  ['does not know of a line that ends with CRLF', ({ ledger }) => appendFile(ledger, '\r\n')],
])('a catalogue that %s makes no difference', async (_, change) => {
  const at = await opened()
  await using _repo = at.repo
  await expectTrue(at.workspace, {})
  await report(at.workspace, 10, 11)
  await expectTrue(at.workspace, { intent: 'INT-1' })
  await change(at)
  for (const wanted of [{ intent: 'ANT-1' }, {}, { intent: 'INT-1' }, { since: Date.now() + 1_000 }]) {
    await expectTrue(at.workspace, wanted, 4)
  }
})

test('whichever byte of the catalogue is another one, the answers are the same', async () => {
  const { repo, workspace, catalogue } = await opened()
  await using _repo = repo
  await expectTrue(workspace, {})
  const [name = ''] = await readdir(catalogue)
  const { size } = await stat(join(catalogue, name))
  for (let at = 0; at < size; at += 7) {
    await changeSegment(catalogue, it => it.fill((it[at] ?? 0) ^ 0x41, at, at + 1))
    await expectTrue(workspace, { intent: 'INT-1' })
    await expectTrue(workspace, { since: 1_000 }, 3)
  }
})

test('a ledger that another one took the place of is read anew', async () => {
  const at = await opened()
  await using _repo = at.repo
  await using other = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const there = await openWorkspace(other.root)
  await report(there, 0, 30)
  await expectTrue(at.workspace, {})
  await copyFile(layoutOf(there).ledger, at.ledger)
  await expectTrue(at.workspace, { intent: 'INT-1' })
  expect((await stat(at.catalogue)).mode & 0o777).toBe(0o700)
})

test('a line that was changed where it is, so that the catalogue is of another ledger, is found out', async () => {
  const { repo, workspace, ledger } = await opened()
  await using _repo = repo
  await report(workspace, 10, 60)
  await expectTrue(workspace, { intent: 'INT-1' })
  const lines = (await readFile(ledger, 'utf8')).split('\n')
  await writeFile(ledger, lines.with(1, lines[1]?.replace('INT-1', 'INT-2') ?? '').join('\n'))
  await expectTrue(workspace, { intent: 'INT-1' })
  await expectTrue(workspace, { intent: 'INT-2' })
})

test('questions that are asked while the ledger grows have an answer each that was true meanwhile', async () => {
  const { repo, workspace } = await opened()
  await using _repo = repo
  let reported = 10
  const grow = async () => {
    for (; reported < 210; reported += 10) await report(workspace, reported, reported + 10)
  }
  const ask = async () => {
    const other = await openWorkspace(repo.root)
    for (let before = reported; before < 210; before = reported) {
      const { records } = await queryLedger(other, { wanted: {}, limit: null })
      expect(records.length).toBeGreaterThanOrEqual(before)
      expect(records.length).toBeLessThanOrEqual(reported + 10)
      expect(new Set(ids(records)).size).toBe(records.length)
    }
  }
  await Promise.all([grow(), ask(), ask(), ask()])
  await expectTrue(workspace, {})
  await expectTrue(workspace, { intent: 'INT-1' }, 7)
})

test('who may not write beside the ledger can ask all the same', async () => {
  const { repo, workspace } = await opened()
  await using _repo = repo
  const { own } = layoutOf(workspace)
  await rm(own, { recursive: true })
  await writeFile(own, 'no folder')
  await expectTrue(workspace, { intent: 'INT-1' })
  await expectTrue(workspace, {}, 3)
})

async function doubled(ledger: string): Promise<void> {
  const [first = ''] = (await readFile(ledger, 'utf8')).split('\n')
  await appendFile(ledger, `${first}\n`)
}

test('whoever asks a long ledger for the first time is told how far it has been read', async () => {
  const { repo, workspace, ledger } = await opened()
  await using _repo = repo
  await appendFile(ledger, `${'x'.repeat(2 ** 20)}\n`.repeat(40))
  await report(workspace, 10, 12)
  const shares: number[] = []
  const question = { wanted: { intent: 'INT-1' }, limit: null, progress: (share: number) => void shares.push(share) }
  expect((await queryLedger(workspace, question)).records.length).toBe(4)
  expect(shares.map(it => it.toFixed(1))).toEqual(['0.4', '0.8'])
  await queryLedger(workspace, question)
  expect(shares.length).toBe(2)
  await rm(join(layoutOf(workspace).own, 'catalogue'), { recursive: true })
  const { stderr } = await repo.run('kotef', ['trace', '--intent', 'INT-1'])
  expect(stderr.match(/is indexing the ledger: \d+ %/g)).toHaveLength(2)
})

test('of a ledger that threads read side by side, the answers are the same', async () => {
  const { repo, workspace, ledger, catalogue } = await opened()
  await using _repo = repo
  await report(workspace, 10, 400)
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n')
  // So few lines come after the first half of the bytes that their segment is not merged with the one before.
  const filler = Array.from({ length: 80 }, () => 'x'.repeat(2 ** 20))
  // An id comes once more within the reach of another thread, and the last line has no end yet.
  await writeFile(ledger, [...lines.slice(0, -1), ...filler, lines[0], lines.at(-1), '{"version'].join('\n'))
  await expectTrue(workspace, { intent: 'INT-1' })
  expect(await readdir(catalogue)).toHaveLength(2)
  await expectTrue(workspace, { intent: 'INT-0' }, 5)
  await report(workspace, 400, 402)
  await expectTrue(workspace, {}, 90)
})
