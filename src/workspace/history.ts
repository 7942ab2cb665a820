import { join } from 'node:path'
import { headOid } from '../diff/head-oid.ts'
import { withLock } from '../io/lock.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { judgedTips } from './judged-tips.ts'
import { isSomethingTold, type Told, withTold } from './told.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * Judges the commits that are new in this worktree, and records each broken rule: what got in by `--no-verify`, by
 * `KOTEF=0`, by plumbing or in a flow that runs no pre-commit does not pass unseen. Each is judged once in a clone.
 */
export async function judgeHistory(workspace: Workspace): Promise<TraceRecord[]> {
  const { shared } = placesOf(workspace)
  const isSetUp = (await workspace.files.modifiedAt(shared)) !== null
  if (!isSetUp || (await isMidway(workspace)) || !(await isSomethingNew(workspace))) return []
  // Most often there is nothing to judge, and what judges takes its time to load.
  const { judgeTold } = await import('./judge-told.ts')
  const records: TraceRecord[] = []
  const judge = async (told: Told) => {
    for (const each of await judgeTold(workspace, told)) records.push(each)
  }
  const lock = join(shared, 'judged.lock')
  await withLock(lock, () => withTold(workspace, judge), { waitMsMax: WAIT_MS_MAX })
  return records
}

// Another worktree's judgement may be of many commits.
const WAIT_MS_MAX = 30_000

// In a rebase git tells of each commit before it says what that was made from, and may yet throw all of them away.
async function isMidway({ files, gitDir }: Workspace): Promise<boolean> {
  const signs = ['rebase-merge', 'rebase-apply'].map(it => files.modifiedAt(join(gitDir, it)))
  return (await Promise.all(signs)).some(it => it !== null)
}

async function isSomethingNew(workspace: Workspace): Promise<boolean> {
  if (await isSomethingTold(workspace)) return true
  const head = await workspace.git.tryAsk(headOid)
  return head !== null && !(await judgedTips(workspace))?.includes(head)
}
