import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disk, type Files } from '../../src/world/io/files/files.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { queryLedger } from '../../src/world/ledger/query-ledger.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { temporaryRepo } from '../rig/repo.ts'

const wanted = { intent: 'INT-1' }

async function report(workspace: Workspace, count: number): Promise<void> {
  const drafts = Array.from({ length: count }, () => ({ event: { event: 'intent-added', ...wanted } }) as const)
  await appendRecords(workspace, drafts, { head: null })
}

const countOf = async (workspace: Workspace) => (await queryLedger(workspace, { wanted, limit: null })).records.length

const folder = (workspace: Workspace) => join(layoutOf(workspace).own, 'catalogue')

test.each<[string, (workspace: Workspace) => Promise<unknown>]>([
  ['is read', countOf],
  ['is made', workspace => disk.clear(folder(workspace))],
  ['grows', async workspace => (await countOf(workspace), await report(workspace, 3))],
  ['is merged', async workspace => (await countOf(workspace), await report(workspace, 200))],
  [
    'has a damaged part',
    async workspace => {
      await countOf(workspace)
      const [name = ''] = await disk.list(folder(workspace))
      const path = join(folder(workspace), name)
      await disk.put(path, (await disk.read(path))?.fill(7, 160) ?? '')
    },
  ],
])('whichever disk call fails while the catalogue %s, no answer is wrong, then or later', async (_, prepare) => {
  await using repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const healthy = await openWorkspace(repo.root)
  // Enough that a segment is read in parts.
  await report(healthy, 600)
  const calls = { failed: 0, answered: 0 }
  for (let failing = 1; ; failing++) {
    await disk.clear(folder(healthy))
    await prepare(healthy)
    const records = (await allLines(healthy)).length
    const files: Files & { hasFailed(): boolean } = brittleFiles(disk, { failing, dead: failing % 2 === 0 })
    const found = await countOf({ ...healthy, files }).catch(() => null)
    expect([failing, found ?? records]).toEqual([failing, records])
    expect([failing, await countOf(healthy)]).toEqual([failing, records])
    calls[found === null ? 'failed' : 'answered']++
    if (!files.hasFailed()) break
  }
  // Only what finds and opens the ledger has to succeed.
  expect(calls.failed).toBeLessThanOrEqual(3)
  expect(calls.answered).toBeGreaterThan(2)
})

async function allLines(workspace: Workspace): Promise<string[]> {
  return (await readFile(layoutOf(workspace).ledger, 'utf8')).trimEnd().split('\n')
}
