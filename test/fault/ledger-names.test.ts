import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn } from '../../src/world/io/git/git.ts'
import type { Files } from '../../src/world/io/files/files.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import type { LedgerState } from '../../src/core/ledger/ledger-names.ts'
import { readChainHead, appendRecords } from '../../src/world/ledger/append-records.ts'
import { locateLedger, restoreLedger } from '../../src/world/ledger/locate-ledger.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles, type MemoryFiles, memoryFiles } from '../rig/brittle-files.ts'
import { verifyChain } from '../rig/ledger-events.ts'
import { manualClock } from '../rig/manual-clock.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

function workspaceIn(repo: Repo, files: Files, clock = manualClock()): Workspace {
  const gitDir = join(repo.root, '.git')
  return { root: repo.root, gitDir, commonDir: gitDir, git: gitIn(repo.root), files, clock }
}

const append = (workspace: Workspace, ...intents: readonly string[]) =>
  appendRecords(
    workspace,
    intents.map(intent => ({ event: { event: 'session-started', session: 's', intent } })),
    { head: null },
  )

function intentsIn(text: string): unknown[] {
  return readLedger(text).entries.map(it => (it.record.metadata['dev.kotef'] as { intent?: string }).intent)
}

type Names = { readonly ledger: string; readonly keptLedger: string }
type Accident = (memory: MemoryFiles, names: Names) => Promise<unknown>

/** What may happen to the two names of a ledger of three records, and how they stand then. */
const ACCIDENTS: readonly (readonly [what: string, state: LedgerState, accident: Accident])[] = [
  ['nothing', 'linked', async () => {}],
  ['git clean', 'kept-only', (memory, { ledger }) => memory.remove(ledger)],
  ['a kotef that kept nothing', 'worktree-only', (memory, { keptLedger }) => memory.remove(keptLedger)],
  ['a copy', 'worktree-behind', (memory, { ledger }) => memory.replace(ledger, memory.text(ledger))],
  ['a backup', 'worktree-behind', (memory, { ledger }) => memory.replace(ledger, withoutLastLine(memory.text(ledger)))],
  ['a touch after a deletion', 'worktree-behind', (memory, { ledger }) => memory.replace(ledger, '')],
  [
    'an old kept one',
    'kept-behind',
    (memory, { keptLedger }) => memory.replace(keptLedger, withoutLastLine(memory.text(keptLedger))),
  ],
]

const withoutLastLine = (text: string) => text.replace(/[^\n]*\n$/, '')

const ENDS = [
  ['and everything after it', true],
  ['and the next works again', false],
] as const

test.each(
  ACCIDENTS.flatMap(([what, ...accident]) => ENDS.map(([end, dead]) => [what, end, dead, ...accident] as const)),
)(
  'after %s, whichever disk call fails, %s: no record is lost or doubled (solo B6)',
  async (_, __, dead, state, accident) => {
    await using repo = await temporaryRepo()
    for (let failing = 1; ; failing++) {
      const memory = memoryFiles()
      const clock = manualClock()
      const healthy = workspaceIn(repo, memory, clock)
      const names = layoutOf(healthy)
      await append(healthy, 'INT-1', 'INT-2', 'INT-3')
      await accident(memory, names)
      expect((await locateLedger(healthy)).state).toBe(state)
      const files = brittleFiles(memory, { failing, dead })
      const brittle = workspaceIn(repo, files, clock)
      await restoreLedger(brittle)
      const isAcknowledged = await append(brittle, 'INT-4').then(
        () => true,
        () => false,
      )
      expect(intentsIn(memory.text((await locateLedger(healthy)).path))).toEqual(
        expect.arrayContaining(['INT-1', 'INT-2', 'INT-3', ...(isAcknowledged ? ['INT-4'] : [])]),
      )
      await append(healthy, 'INT-9')
      const { entries } = readLedger(memory.text(names.ledger))
      const intents = intentsIn(memory.text(names.ledger))
      expect([failing, intents.filter(it => it !== 'INT-4')]).toEqual([failing, ['INT-1', 'INT-2', 'INT-3', 'INT-9']])
      expect([failing, new Set(intents).size]).toEqual([failing, intents.length])
      expect([failing, verifyChain(entries, await readChainHead(healthy))]).toEqual([failing, []])
      expect((await locateLedger(healthy)).state).toBe('linked')
      if (!files.hasFailed()) return
    }
  },
)

test('of two files of which neither continues the other, both stay, and kotef appends to its own', async () => {
  await using repo = await temporaryRepo()
  const memory = memoryFiles()
  const workspace = workspaceIn(repo, memory)
  const { ledger, keptLedger } = layoutOf(workspace)
  await append(workspace, 'INT-1', 'INT-2')
  const edited = memory.text(ledger).replace('INT-2', 'INT-7')
  await memory.replace(ledger, edited)
  await restoreLedger(workspace)
  await append(workspace, 'INT-3')
  expect([memory.text(ledger), intentsIn(memory.text(keptLedger))]).toEqual([edited, ['INT-1', 'INT-2', 'INT-3']])
  expect((await locateLedger(workspace)).state).toBe('split')
})

test('a disk without hard links has the ledger in the worktree alone, with all of a copied kept one', async () => {
  await using repo = await temporaryRepo()
  const memory = memoryFiles({ links: false })
  const workspace = workspaceIn(repo, memory)
  const { ledger, keptLedger } = layoutOf(workspace)
  await append(workspace, 'INT-1', 'INT-2')
  expect([intentsIn(memory.text(ledger)), memory.text(keptLedger)]).toEqual([['INT-1', 'INT-2'], ''])
  await memory.replace(keptLedger, memory.text(ledger))
  await memory.replace(ledger, withoutLastLine(memory.text(ledger)))
  await append(workspace, 'INT-3')
  expect([intentsIn(memory.text(ledger)), memory.text(keptLedger)]).toEqual([['INT-1', 'INT-2', 'INT-3'], ''])
  await memory.move(ledger, keptLedger)
  await append(workspace, 'INT-4')
  expect([intentsIn(memory.text(keptLedger)).length, memory.text(ledger)]).toEqual([4, ''])
})

test('the names of a ledger that is whole cost an append two looks, and a reader as many', async () => {
  await using repo = await temporaryRepo()
  const memory = memoryFiles()
  const asked: string[] = []
  const counting = Object.fromEntries(
    Object.entries(memory).map(([name, verb]) => [
      name,
      (...args: never[]) => (asked.push(name), (verb as (...of: never[]) => unknown)(...args)),
    ]),
  ) as unknown as Files
  const workspace = workspaceIn(repo, counting)
  await append(workspace, 'INT-1')
  asked.length = 0
  await restoreLedger(workspace)
  expect(asked).toEqual(['stat', 'stat'])
  await append(workspace, 'INT-2')
  expect(asked.filter(it => it === 'stat' || it === 'link')).toHaveLength(4)
})
