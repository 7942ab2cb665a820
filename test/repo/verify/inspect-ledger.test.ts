import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MARK_BYTES_MAX } from '../../../src/core/ledger/compressed-parts.ts'
import { layoutOf } from '../../../src/world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { inspectLedger, openLedgerInspector } from '../../../src/world/verify/inspect-ledger.ts'
import { report } from '../../rig/numbered-records.ts'
import { temporaryRepo } from '../../rig/repo.ts'

async function longLedger() {
  const repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  const workspace = await openWorkspace(repo.root)
  await report(workspace, 0, 20)
  return { repo, workspace, ledger: layoutOf(workspace).ledger }
}

/** The same workspace, and where reads of its ledger begin, without those that look for compressed parts. */
function readsOf(workspace: Workspace) {
  const reads: number[] = []
  const open: Workspace['files']['open'] = async path => {
    const file = await workspace.files.open(path)
    if (!file) return null
    const read: typeof file.read = (from, to) => {
      if (to > MARK_BYTES_MAX) reads.push(from)
      return file.read(from, to)
    }
    return { ...file, read }
  }
  return { workspace: { ...workspace, files: { ...workspace.files, open } }, reads }
}

/** Changes a line of the ledger, and keeps its length. */
async function editLine(ledger: string, n: number): Promise<void> {
  const lines = (await readFile(ledger, 'utf8')).split('\n')
  lines[n] = (lines[n] ?? '').replace('INT-', 'ANT-')
  await writeFile(ledger, lines.join('\n'))
}

test.each<[string, (at: { workspace: Workspace; ledger: string }) => Promise<unknown>]>([
  ['has not changed', async () => {}],
  ['has more records', ({ workspace }) => report(workspace, 20, 25)],
  ['has another first line, as long as that', ({ ledger }) => editLine(ledger, 0)],
  ['has another last line', ({ ledger }) => editLine(ledger, 19)],
  ['is shorter', ({ ledger }) => truncate(ledger, 5_000)],
  ['is gone', ({ ledger }) => rm(ledger)],
  ['has a line that is half written', ({ ledger }) => appendFile(ledger, '{"half":')],
  ['has a line that is not a record', ({ ledger }) => appendFile(ledger, 'no record\r\n')],
  [
    'has a line twice',
    async ({ ledger }) => appendFile(ledger, `${(await readFile(ledger, 'utf8')).split('\n')[3]}\n`),
  ],
])('a ledger that is inspected again shows what a new inspection shows: it %s', async (_, change) => {
  const at = await longLedger()
  await using _repo = at.repo
  const inspector = openLedgerInspector(at.workspace)
  expect(await inspector.inspect(() => {})).toEqual(await inspectLedger(at.workspace))
  await change(at)
  for (const more of [25, 30]) {
    expect(await inspector.inspect(() => {})).toEqual(await inspectLedger(at.workspace))
    await report(at.workspace, more, more + 2)
  }
  expect(await inspector.inspect(() => {})).toEqual(await inspectLedger(at.workspace))
})

test('lines that were inspected are not read again as records', async () => {
  const at = await longLedger()
  await using _repo = at.repo
  const { workspace, reads } = readsOf(at.workspace)
  const inspector = openLedgerInspector(workspace)
  await inspector.inspect(() => {})
  const { length } = await readFile(at.ledger)
  await report(at.workspace, 20, 22)
  reads.length = 0
  const { records } = await inspector.inspect(() => {})
  // The new records, and then the hash of all.
  expect([records, reads]).toEqual([22, [length, 0, length]])
})
