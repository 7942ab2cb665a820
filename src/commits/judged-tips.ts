import { join } from 'node:path'
import { branchTips, commitRange } from '../git/commit-graph.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * The commits up to which history is judged, for all worktrees of the clone; null when nobody has judged yet. Whatever
 * they reach was judged, or was there before.
 */
export async function readJudgedTips(workspace: Workspace): Promise<string[] | null> {
  const text = (await workspace.files.read(judgedTipsPath(workspace)))?.toString('latin1')
  return text?.split('\n').filter(it => it !== '') ?? null
}

/** Remembers that some commits are judged, in place of the tips that they stand on. */
export async function advanceJudgedTips(
  workspace: Workspace,
  judged: readonly string[],
  tips: readonly string[],
): Promise<void> {
  const { commits: reached, parents } = await workspace.git.ask(commitRange(judged, tips))
  const newlyJudged = judged.filter(it => reached.has(it))
  if (newlyJudged.length > 0)
    await saveJudgedTips(
      workspace,
      [...newlyJudged, ...tips].filter(it => !parents.has(it)),
    )
}

/** Begins to remember: all that local branches have by now is taken as it is. */
export async function initializeJudgedTips(workspace: Workspace, head: string): Promise<void> {
  await saveJudgedTips(workspace, [head, ...(await workspace.git.ask(branchTips(JUDGED_TIPS_MAX)))])
}

// More lines of history than this are in use by nobody at a time.
const JUDGED_TIPS_MAX = 100

async function saveJudgedTips(workspace: Workspace, tips: readonly string[]): Promise<void> {
  const lines = [...new Set(tips)].slice(0, JUDGED_TIPS_MAX)
  await workspace.files.put(judgedTipsPath(workspace), lines.map(it => `${it}\n`).join(''))
}

function judgedTipsPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'judged')
}
