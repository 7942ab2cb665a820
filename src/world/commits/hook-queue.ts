import { join } from 'node:path'
import { branchTips, commitRange } from '../../core/git/commit-graph.ts'
import { layoutOf, ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { Rewrites } from './source-commits.ts'

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

/** The reports of the hooks that run after a commit. */
export type HookReports = {
  /** The commits made here, oldest first: were the hooks switched off, and did an agent run git? */
  readonly commits: readonly { readonly skipped: boolean; readonly byAgent: boolean }[]
  /** The number of merges and applied patches. */
  readonly otherCommits: number
  readonly rewrites: Rewrites
}

/** Calls `work` with the reports since the last time, and deletes them when it is done. */
export async function drainHookQueue(
  workspace: Workspace,
  work: (reports: HookReports) => Promise<void>,
): Promise<void> {
  const { files } = workspace
  const queue = ownPath(workspace, 'queue')
  const taken = ownPath(workspace, 'queue.taken')
  // An interrupted judgement left its reports in `queue.taken`; they come first.
  if ((await files.modifiedAt(taken)) === null) await files.move(queue, taken)
  const lines = await queueLines(workspace, taken)
  await work(parseQueue(lines))
  // A hook that had the file open when it was renamed may have written to it since.
  const late = (await queueLines(workspace, taken)).slice(lines.length)
  if (late.length > 0) await work(parseQueue(late))
  await files.remove(taken)
}

/** True when there are reports. */
export async function hasHookReports(workspace: Workspace): Promise<boolean> {
  const times = await Promise.all(
    ['queue', 'queue.taken'].map(it => workspace.files.modifiedAt(ownPath(workspace, it))),
  )
  return times.some(it => it !== null)
}

// The reports of 180,000 rewritten commits.
const QUEUE_BYTES_MAX = 16 * 1_048_576

async function queueLines({ files }: Workspace, path: string): Promise<string[]> {
  const text = (await files.read(path, QUEUE_BYTES_MAX))?.toString('latin1') ?? ''
  return text.split('\n').filter(it => it !== '')
}

function parseQueue(lines: readonly string[]): HookReports {
  const words = lines.map(it => it.split(' '))
  const rewrites = new Map<string, string[]>()
  for (const [what, old, rewritten] of words)
    if (what === 'rewrite' && old && rewritten) rewrites.set(rewritten, [...(rewrites.get(rewritten) ?? []), old])
  return {
    commits: words
      .filter(([what]) => what === 'commit')
      .map(it => ({ skipped: it.includes('skipped'), byAgent: it.includes('agent') })),
    otherCommits: words.filter(([what]) => what === 'merge' || what === 'applypatch').length,
    rewrites,
  }
}
