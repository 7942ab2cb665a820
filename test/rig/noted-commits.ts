import { loadHasher } from '../../src/world/io/files/hasher.ts'
import { buildCommitRecords } from '../../src/world/provenance/commit-records.ts'
import { writeNotes } from '../../src/world/ledger/notes.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from './repo.ts'

/** Notes what is known of some commits, even if that is nothing, as kotef did once. */
export async function noteCommits({ root }: Pick<Repo, 'root'>, commits: readonly string[]): Promise<void> {
  const workspace = await openWorkspace(root)
  const records = await buildCommitRecords(workspace, commits, await loadHasher())
  const notes = new Map([...records].map(([commit, record]) => [commit, `${JSON.stringify(record)}\n`]))
  await writeNotes(workspace, async () => notes)
}
