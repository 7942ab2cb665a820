import { join } from 'node:path'
import { branchTips, commitRange } from '../git/commit-graph.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * The commits up to which history is judged, for all worktrees of the clone; null before the first judgement. Every
 * commit that they reach was judged, or is older than kotef here.
 */
export async function readJudgedTips(workspace: Workspace): Promise<string[] | null> {
  const text = (await workspace.files.read(judgedTipsPath(workspace)))?.toString('latin1')
  return text?.split('\n').filter(it => it !== '') ?? null
}

/** Saves that some commits are judged; they replace the tips that are their parents. */
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

/** Saves the first tips: the commits of all local branches count as judged. */
export async function initializeJudgedTips(workspace: Workspace, head: string): Promise<void> {
  await saveJudgedTips(workspace, [head, ...(await workspace.git.ask(branchTips(JUDGED_TIPS_MAX)))])
}

// More lines of history than anybody uses at a time.
const JUDGED_TIPS_MAX = 100

async function saveJudgedTips(workspace: Workspace, tips: readonly string[]): Promise<void> {
  const lines = [...new Set(tips)].slice(0, JUDGED_TIPS_MAX)
  await workspace.files.put(judgedTipsPath(workspace), lines.map(it => `${it}\n`).join(''))
}

function judgedTipsPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'judged')
}
