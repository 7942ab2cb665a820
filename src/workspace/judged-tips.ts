import { join } from 'node:path'
import { branchTips, stretch } from '../diff/tips.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * The commits up to which history is judged, for all worktrees of the clone; null when nobody has judged yet. Whatever
 * they reach was judged, or was there before.
 */
export async function judgedTips(workspace: Workspace): Promise<string[] | null> {
  const text = (await workspace.files.read(tipsPath(workspace)))?.toString('latin1')
  return text?.split('\n').filter(it => it !== '') ?? null
}

/** Remembers that some commits are judged, in place of the tips that they stand on. */
export async function rememberJudged(
  workspace: Workspace,
  judged: readonly string[],
  tips: readonly string[],
): Promise<void> {
  const { reached, parents } = await workspace.git.ask(stretch(judged, tips))
  const news = judged.filter(it => reached.has(it))
  if (news.length > 0)
    await keep(
      workspace,
      [...news, ...tips].filter(it => !parents.has(it)),
    )
}

/** Begins to remember: all that local branches have by now is taken as it is. */
export async function rememberAll(workspace: Workspace, head: string): Promise<void> {
  await keep(workspace, [head, ...(await workspace.git.ask(branchTips(TIPS_MAX)))])
}

// More lines of history than this are in use by nobody at a time.
const TIPS_MAX = 100

async function keep(workspace: Workspace, tips: readonly string[]): Promise<void> {
  const lines = [...new Set(tips)].slice(0, TIPS_MAX)
  await workspace.files.put(tipsPath(workspace), lines.map(it => `${it}\n`).join(''))
}

function tipsPath(workspace: Workspace): string {
  return join(placesOf(workspace).shared, 'judged')
}
