import { expect, test, vi } from 'vitest'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { uncataloguedBytes } from '../../../src/world/ledger/catalogue-folder.ts'
import { queryLedger } from '../../../src/world/ledger/query-ledger.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { LEDGER_FILE_BYTES_MAX, LEDGER_PLAIN_BYTES } from '../../../src/core/base/thresholds.ts'
import { ledgerExtent } from '../../../src/world/ledger/open-ledger.ts'
import { inspectLedger } from '../../../src/world/verify/inspect-ledger.ts'
import { flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'

async function lengthen(workspace: Workspace): Promise<void> {
  const event = { event: 'problem', path: null, message: 'x'.repeat(400_000) } as const
  await appendRecords(workspace, [{ event }, { event }, { event }])
}

test('the daemon has the catalogue extended at its start and while the ledger grows', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n' })
  const workspace = await openWorkspace(repo.root)
  await lengthen(workspace)
  expect(await uncataloguedBytes(workspace)).toBeGreaterThan(2 ** 20)
  await using _daemon = await startWatching(repo)
  const isExtended = async () => (await uncataloguedBytes(workspace)) < 2 ** 20
  await vi.waitUntil(isExtended, { timeout: 20_000 })
  await lengthen(workspace)
  expect(await isExtended()).toBe(false)
  await repo.write('src/a', 'b\n')
  await vi.waitUntil(isExtended, { timeout: 20_000 })
  expect((await queryLedger(workspace, { wanted: { file: 'src/a' }, limit: null })).records).toHaveLength(1)
})

test('the daemon compresses the beginning of a ledger that has grown, and goes on recording', async () => {
  await using repo = await governedRepo({ 'src/a': 'a\n' })
  const workspace = await openWorkspace(repo.root)
  const event = { event: 'problem', path: null, message: 'x'.repeat(400_000) } as const
  const draft = { event }
  const drafts = Array.from({ length: Math.ceil((LEDGER_FILE_BYTES_MAX * 1.05) / 400_000) }, () => draft)
  await appendRecords(workspace, drafts)
  const grown = await ledgerExtent(workspace)
  await using _daemon = await startWatching(repo)
  const isCompressed = async () => ((await ledgerExtent(workspace))?.compressed ?? 0) > 0
  await vi.waitUntil(isCompressed, { timeout: 60_000 })
  await repo.write('src/a', 'b\n')
  expect(await flushedWrites(repo)).toHaveLength(1)
  const compressed = await ledgerExtent(workspace)
  expect(compressed?.bytes).toBeGreaterThan(grown?.bytes ?? Infinity)
  expect(compressed?.onDisk).toBeLessThan(LEDGER_PLAIN_BYTES * 2)
  expect((await inspectLedger(workspace, [])).broken).toEqual([])
})
