import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn } from '../../src/world/io/git/git.ts'
import type { Files } from '../../src/world/io/files/files.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { locateLedger } from '../../src/world/ledger/locate-ledger.ts'
import { closeLedger } from '../../src/world/verify/close-ledger.ts'
import { inspectLedger } from '../../src/world/verify/inspect-ledger.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles, memoryFiles } from '../rig/brittle-files.ts'
import { manualClock } from '../rig/manual-clock.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

function workspaceIn(repo: Repo, files: Files, clock = manualClock()): Workspace {
  const gitDir = join(repo.root, '.git')
  return { root: repo.root, gitDir, commonDir: gitDir, git: gitIn(repo.root), files, clock }
}

const append = (workspace: Workspace, count: number) =>
  appendRecords(
    workspace,
    Array.from({ length: count }, () => ({ event: { event: 'initialised' } }) as const),
    { head: null },
  )

const DISKS = [
  ['dies', true, true],
  ['dies, without hard links', true, false],
  ['fails once', false, true],
  ['fails once, without hard links', false, false],
] as const

test.each(DISKS)(
  'whichever disk call of a closing %s, the ledger is the damaged one or a new one, and no line is lost (team S10)',
  async (_, dead, links) => {
    await using repo = await temporaryRepo()
    for (let failing = 1; ; failing++) {
      const memory = memoryFiles({ links })
      const clock = manualClock()
      const healthy = workspaceIn(repo, memory, clock)
      const { ledger, own } = layoutOf(healthy)
      await append(healthy, 4)
      const damaged = memory.text(ledger).split('\n').toSpliced(1, 1).join('\n')
      memory.overwrite(ledger, damaged)
      const files = brittleFiles(memory, { failing, dead })
      const isClosed = await closeLedger(workspaceIn(repo, files, clock), 'why').then(
        () => true,
        () => false,
      )
      await append(healthy, 1)
      const { broken, records } = await inspectLedger(healthy)
      expect([failing, broken.map(it => it.rule), records]).toBeOneOf([
        [failing, ['ledger-gap'], 4],
        [failing, [], 2],
      ])
      expect([failing, isClosed && broken.length > 0]).toEqual([failing, false])
      const paths = (await memory.list(own)).map(it => join(own, it))
      const kept = [(await locateLedger(healthy)).path, ...paths].some(it => memory.text(it).startsWith(damaged))
      expect([failing, kept]).toEqual([failing, true])
      if (!files.hasFailed()) return
    }
  },
)
