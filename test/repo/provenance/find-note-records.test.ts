import { expect, test } from 'vitest'
import { findNoteRecords } from '../../../src/world/ledger/notes.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { noteCommits } from '../../rig/noted-commits.ts'
import type { Repo } from '../../rig/repo.ts'

const ODD = 'src/an "odd" näme.ts'
const NEVER_WRITTEN = Array.from({ length: 40 }, (_, n) => `src/never-${n}.ts`)

test('few paths and many find the same records: those that are about one of them', async () => {
  await using repo = await governedRepo()
  const workspace = await openWorkspace(repo.root)
  const first = await commit(repo, ['src/a.ts', 'src/b.ts'])
  const second = await commit(repo, ['src/a.ts', ODD])
  await noteCommits(repo, [first, second])
  for (const more of [[], NEVER_WRITTEN]) {
    const found = (paths: readonly string[]) => commitsFound(workspace, [...paths, ...more])
    expect(await found(['src/b.ts'])).toEqual([first])
    expect(await found([ODD])).toEqual([second])
    expect(await found(['src/a.ts'])).toEqual([first, second].sort())
    expect(await found(['src'])).toEqual([])
  }
})

async function commit(repo: Repo, paths: readonly string[]): Promise<string> {
  for (const it of paths) await repo.write(it, `${await repo.git('rev-parse', 'HEAD')} ${it}\n`)
  await repo.git('add', 'src')
  await repo.git('commit', '--quiet', '-m', 'work')
  return (await repo.git('rev-parse', 'HEAD')).trim()
}

async function commitsFound(workspace: Workspace, paths: readonly string[]): Promise<string[]> {
  return (await findNoteRecords(workspace, paths)).map(it => it.vcs.revision).sort()
}
