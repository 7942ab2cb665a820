import type { TraceRecord } from '../../core/ledger/record.ts'
import type { DeclarationConflict } from '../../core/code/map/conflicts.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { catalogueJobOf } from './catalogue-job.ts'
import { classifyJobOf } from './classify-job.ts'
import { conflictJobOf } from './conflict-job.ts'

/** What follows a write, beside the recording: the catalogue, classes of uncommitted changes, and conflicts. */
export function sideJobsOf(
  workspace: Workspace,
  found: (conflict: DeclarationConflict) => void,
): Disposable & { recorded(records: readonly TraceRecord[]): void } {
  const jobs = [catalogueJobOf(workspace), classifyJobOf(workspace), conflictJobOf(workspace, found)]
  return {
    recorded: records => jobs.forEach(it => it.recorded(records)),
    [Symbol.dispose]: () => jobs.forEach(it => it[Symbol.dispose]()),
  }
}
