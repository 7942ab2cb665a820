import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn } from '../../src/world/io/git/git.ts'
import type { Files } from '../../src/world/io/files/files.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'
import { compressLedger } from '../../src/world/ledger/compress-ledger.ts'
import { openLedger } from '../../src/world/ledger/open-ledger.ts'
import { inspectLedger } from '../../src/world/verify/inspect-ledger.ts'
import { brittleFiles, memoryFiles } from '../rig/brittle-files.ts'
import { manualClock } from '../rig/manual-clock.ts'
import { report } from '../rig/numbered-records.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { SMALL_SIZES } from '../rig/small-ledger-sizes.ts'

function workspaceIn(repo: Repo, files: Files, clock = manualClock()): Workspace {
  const gitDir = join(repo.root, '.git')
  return { root: repo.root, gitDir, commonDir: gitDir, git: gitIn(repo.root), files, clock }
}

async function contentOf(workspace: Workspace): Promise<string> {
  await using ledger = await openLedger(workspace)
  return ledger ? (await ledger.read(0, ledger.size)).toString('utf8') : ''
}

test.each([
  ['dies', true, true],
  ['dies, without hard links', true, false],
  ['fails once', false, true],
  ['fails once, without hard links', false, false],
])('whichever disk call of a compression %s, the ledger has the same lines, and goes on', async (_, dead, links) => {
  await using repo = await temporaryRepo()
  for (let failing = 1; ; failing++) {
    const memory = memoryFiles({ links })
    const clock = manualClock()
    const healthy = workspaceIn(repo, memory, clock)
    await report(healthy, 0, 60)
    const before = await contentOf(healthy)
    const files = brittleFiles(memory, { failing, dead })
    await compressLedger(workspaceIn(repo, files, clock), SMALL_SIZES).catch(() => {})
    expect([failing, (await contentOf(healthy)) === before]).toEqual([failing, true])
    await report(healthy, 60, 63)
    await compressLedger(healthy, SMALL_SIZES)
    expect([failing, (await contentOf(healthy)).startsWith(before)]).toEqual([failing, true])
    const { records, problems, broken } = await inspectLedger(healthy, [])
    expect([failing, records, problems, broken]).toEqual([failing, 63, [], []])
    if (!files.hasFailed()) return
  }
})
