import type { FilePatch } from '../../core/git/diff/patch.ts'
import type { LoggedCommit } from '../../core/git/log.ts'
import type { CommitRecord } from '../../core/ledger/commit-record.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readPatches } from './commit-queries.ts'
import { readNoteRecords } from '../ledger/notes.ts'

/** The files that a commit changes, and when. */
export type ChangedFiles = Pick<TraceRecord, 'timestamp'> & Pick<CommitRecord, 'files'>

/** The records of commits, by oid; for a commit without a note, the files that it changes. */
export async function recordsOfCommits(
  workspace: Workspace,
  commits: readonly LoggedCommit[],
): Promise<Map<string, readonly ChangedFiles[]>> {
  const noted = await readNoteRecords(
    workspace,
    commits.map(it => it.commit),
  )
  const records = new Map<string, readonly ChangedFiles[]>(noted)
  const dates = new Map(commits.filter(it => !noted.has(it.commit)).map(it => [it.commit, it.committed]))
  for await (const patches of readPatches(workspace.git, [...dates.keys()], () => 0)) {
    for (const { commit, files } of patches) {
      const timestamp = new Date(dates.get(commit) ?? 0).toISOString()
      const part = { timestamp, files: files.map(it => unattributedFile(it)) }
      records.set(commit, [...(records.get(commit) ?? []), part])
    }
  }
  return records
}

function unattributedFile({ path, from, before, after }: FilePatch): CommitRecord['files'][number] {
  const op = from === null ? 'modify' : 'rename'
  return {
    path,
    relative_path: path,
    conversations: [],
    kotef: { op, ...(from === null ? {} : { from }), before, after, removed: [] },
  }
}
