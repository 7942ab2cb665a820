import { expect, test } from 'vitest'
import { tracedFile } from '../../src/core/ledger/traced-file.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { queryLedger, queryLedgerPage } from '../../src/world/ledger/query-ledger.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { ids, report } from '../rig/numbered-records.ts'
import { temporaryRepo } from '../rig/repo.ts'

async function opened() {
  const repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  return { repo, workspace: await openWorkspace(repo.root) }
}

test('the pages of an answer have each record once, in order, and count those around them', async () => {
  const { repo, workspace } = await opened()
  await using _repo = repo
  await report(workspace, 10, 40)
  await queryLedger(workspace, { wanted: {}, limit: 1 })
  // These are not in the catalogue yet.
  await report(workspace, 40, 47)
  const all = (await queryLedger(workspace, { wanted: { intent: 'INT-1' }, limit: null })).records
  const seen: string[] = []
  for (let before: number | undefined; ;) {
    const page = await queryLedgerPage(workspace, { wanted: { intent: 'INT-1' }, limit: 4, before })
    expect(page.newer).toBe(seen.length)
    expect(page.older).toBe(all.length - seen.length - page.records.length)
    seen.unshift(...ids(page.records))
    before = page.numbers[0]
    if (page.older === 0) break
  }
  expect(seen).toEqual(ids(all))
})

test('records are found by the kind of their event and of their author', async () => {
  const { repo, workspace } = await opened()
  await using _repo = repo
  const change = { op: 'create', before: null, after: 'a', removed: [] } as const
  const writes = (['ai', 'human', 'ai'] as const).map((type, n) => ({
    event: { event: 'write', attribution: 'window', source: 'daemon' } as const,
    files: [
      tracedFile(`${n}.ts`, change, { ranges: [], credit: { contributor: { type }, session: null, intent: null } }),
    ],
  }))
  await appendRecords(workspace, writes, { head: null })
  expect((await queryLedger(workspace, { wanted: { author: 'ai' }, limit: null })).records).toHaveLength(2)
  expect(
    (await queryLedger(workspace, { wanted: { author: 'ai', event: 'intent-added' }, limit: null })).records,
  ).toEqual([])
})
