import { join } from 'node:path'
import { trackedAmong } from '../git/tracked-paths.ts'
import { editWaiting } from '../lesson-store/waiting-lessons.ts'
import { readAgentRun } from '../runs/agent-run.ts'
import { withoutOldTexts } from '../runs/old-reports.ts'
import { readRunEnd, savedEnd } from '../runs/read-run-state.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { ISSUES_PATH, putOwn, RUNS_FOLDER } from './report-run.ts'

/**
 * Removes, once in a worktree, the texts of command lines and outputs that earlier versions of kotef kept in its
 * files: runs and their ends are written again without them; events that wait, checks that failed and passes are
 * forgotten, and so are the lessons with an output that wait. Reports that git does not track lose these lines.
 */
export async function clearOldTexts(workspace: Workspace): Promise<void> {
  const { files } = workspace
  const done = ownPath(workspace, 'texts-cleared')
  if ((await files.modifiedAt(done)) !== null) return
  for (const name of await files.list(ownPath(workspace, 'runs'))) {
    const rewritten = RUN_FILES.find(([pattern]) => pattern.test(name))?.[1]
    if (rewritten) await rewrite(workspace, ownPath(workspace, 'runs', name), rewritten)
  }
  for (const folder of ['failed-checks', 'passes']) await files.clear(ownPath(workspace, folder))
  // Reading leaves out those with an output.
  await editWaiting(workspace, async lessons => ({ lessons, result: null }))
  await clearReports(workspace)
  await files.put(done, '')
}

/** What becomes of a file's text; null for one that goes. */
type Rewriting = (text: string) => object | null

const RUN_FILES: readonly (readonly [name: RegExp, rewriting: Rewriting])[] = [
  [/\.json$/, readAgentRun],
  [/\.stopped$/, text => endWithoutText(text)],
  [/\.(?:waiting|counting)$/, () => null],
]

function endWithoutText(text: string): object | null {
  const end = readRunEnd(text)
  return end && savedEnd(end)
}

async function rewrite({ files }: Workspace, path: string, rewriting: Rewriting): Promise<void> {
  const text = (await files.read(path))?.toString('utf8') ?? ''
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
  const paths = [ISSUES_PATH, ...reports.map(it => `${RUNS_FOLDER}/${it}`)].slice(-REPORTS_MAX)
  const tracked = new Set(await git.ask(trackedAmong(paths)))
  for (const path of paths.filter(it => !tracked.has(it))) {
    const text = (await files.read(join(root, path)))?.toString('utf8') ?? ''
    const kept = withoutOldTexts(text)
    if (kept !== text) await putOwn(workspace, path, kept)
  }
}

// As many paths as a command line has room for.
const REPORTS_MAX = 500
