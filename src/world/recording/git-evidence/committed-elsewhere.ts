import { join } from 'node:path'
import type { GitQuery } from '../../../core/git/query.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { looseCreatedAt } from './object-age.ts'
import type { HeadHistory } from './reflog.ts'

/** When another worktree of the clone first committed a blob at a path (ms since 1970); undefined when none did. */
export type CommittedElsewhere = (path: string, oid: string) => number | undefined

/** Reads what the other worktrees of the clone have committed since a time. */
export async function readCommittedElsewhere(
  workspace: Workspace,
  since: number,
  history: HeadHistory,
): Promise<CommittedElsewhere> {
  const { files, commonDir, git } = workspace
  if ((await files.list(join(commonDir, 'worktrees')).catch(() => [])).length === 0) return () => undefined
  const own = history.committedHere()
  const found = new Map<string, number>()
  for (const { commit, blobs } of (await git.tryAsk(LATEST_BLOBS)) ?? []) {
    const at = own.has(commit) ? null : await looseCreatedAt(workspace, commit)
    // The newest comes first, so the oldest one stays.
    if (at !== null && at >= since) for (const blob of blobs) found.set(blob, at)
  }
  return (path, oid) => found.get(`${oid} ${path}`)
}

type CommittedBlobs = { readonly commit: string; readonly blobs: readonly string[] }

// One process for a whole batch. The dates of commits are anybody's, so the time of the object counts.
const LATEST_BLOBS: GitQuery<CommittedBlobs[]> = {
  args: [
    ...['log', '--exclude=refs/notes/*', '--exclude=refs/kotef/*', '--all', '--max-count=50'],
    ...['--raw', '--no-abbrev', '--no-renames', '-z', '--format=commit %H'],
  ],
  parse: parseBlobs,
}

function parseBlobs(out: string): CommittedBlobs[] {
  return out.split(/(?:^|\0)\0?commit (?=[0-9a-f]{40,64}\0)/).flatMap(text => {
    const [commit = '', ...fields] = text.split('\0').map(it => it.replace(/^\n/, ''))
    const blobs = fields.flatMap((it, n) => {
      const [, oid] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]/.exec(it) ?? []
      return oid === undefined ? [] : [`${oid} ${fields[n + 1] ?? ''}`]
    })
    return commit === '' ? [] : [{ commit, blobs }]
  })
}
