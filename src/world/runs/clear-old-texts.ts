import { join } from 'node:path'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import { trackedAmong } from '../../core/git/tracked-paths.ts'
import { withLock } from '../io/files/lock.ts'
import { editWaiting } from '../lessons/waiting-lessons.ts'
import { AGENT_RUN_VERSION, readAgentRun } from '../../core/runs/agent-run.ts'
import { withoutOldTexts } from '../../core/runs/old-reports.ts'
import { readRunEnd, savedEnd } from '../../core/runs/read-run-state.ts'
import { parseObject } from '../../core/base/payload.ts'
import { RUN_LOCK_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { ISSUES_PATH, RUNS_FOLDER } from '../../core/base/governance-files.ts'
import { putOwn } from './report-run.ts'

/**
 * Removes, once in a worktree, the texts of command lines and outputs that earlier versions of kotef kept in its
 * files: runs and their ends are written again without them; events that wait, checks that failed and passes are
 * forgotten, and so are the lessons with an output that wait. Reports that git does not track lose these lines.
 */
export async function clearOldTexts(workspace: Workspace): Promise<void> {
  const { files } = workspace
  const done = ownPath(workspace, 'texts-cleared')
  if ((await files.modifiedAt(done)) !== null) return
  const runs = (await files.list(ownPath(workspace, 'runs'))).map(it => it.replace(/\.\w+$/, ''))
  for (const run of new Set(runs)) await clearRun(workspace, ownPath(workspace, 'runs', run))
  for (const folder of ['failed-checks', 'passes']) await files.clear(ownPath(workspace, folder))
  // Reading leaves out those with an output.
  await editWaiting(workspace, async lessons => ({ lessons, result: null }))
  await clearReports(workspace)
  await files.put(done, '')
}

// A hook may count events of the run meanwhile. A run of this version has no such text in any of its files.
async function clearRun(workspace: Workspace, path: string): Promise<void> {
  const clear = async (): Promise<void> => {
    const text = (await workspace.files.read(`${path}.json`))?.toString('utf8') ?? ''
    if (parseObject(text)?.['version'] === AGENT_RUN_VERSION) return
    for (const [ending, rewriting] of RUN_FILES) await rewrite(workspace, `${path}.${ending}`, rewriting)
  }
  await withLock(`${path}.lock`, clear, { waitMsMax: RUN_LOCK_WAIT_MS_MAX })
}

/** What becomes of a file's text; null for one that goes. */
type Rewriting = (text: string) => object | null

const RUN_FILES: readonly (readonly [ending: string, rewriting: Rewriting])[] = [
  ['json', readAgentRun],
  ['stopped', text => endWithoutText(text)],
  ['waiting', () => null],
  ['counting', () => null],
]

function endWithoutText(text: string): object | null {
  const end = readRunEnd(text)
  return end && savedEnd(end)
}

async function rewrite({ files }: Workspace, path: string, rewriting: Rewriting): Promise<void> {
  const text = (await files.read(path))?.toString('utf8') ?? null
  if (text === null) return
  const kept = keptOf(text, rewriting)
  if (kept === null) await files.remove(path)
  else await files.put(path, JSON.stringify(kept))
}

// What is damaged may have any text.
function keptOf(text: string, rewriting: Rewriting): object | null {
  try {
    return rewriting(text)
  } catch {
    return null
  }
}

// A tracked file is the person's.
async function clearReports(workspace: Workspace): Promise<void> {
  const { files, git, root } = workspace
  const reports = (await files.list(join(root, RUNS_FOLDER))).filter(it => it.endsWith('.md'))
  const paths = [ISSUES_PATH, ...reports.map(it => `${RUNS_FOLDER}/${it}`)]
  for (let n = 0; n < paths.length; n += PATHS_AT_ONCE) {
    const some = paths.slice(n, n + PATHS_AT_ONCE)
    const tracked = new Set(await git.ask(trackedAmong(some)))
    for (const path of some.filter(it => !tracked.has(it))) {
      const text = (await files.read(join(root, path), LARGE_FILE_BYTES_MAX))?.toString('utf8') ?? ''
      const kept = withoutOldTexts(text)
      if (kept !== text) await putOwn(workspace, path, kept)
    }
  }
}

// As many paths as a command line has room for.
const PATHS_AT_ONCE = 500
