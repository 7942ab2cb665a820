import type { Rewrites } from './source-commits.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The reports of the hooks that run after a commit. */
export type HookReports = {
  /** The commits made here, oldest first, and whether the hooks were switched off for each. */
  readonly commits: readonly { readonly skipped: boolean }[]
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
  const [queue, taken] = [ownPath(workspace, 'queue'), ownPath(workspace, 'queue.taken')]
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

async function queueLines({ files }: Workspace, path: string): Promise<string[]> {
  const text = (await files.read(path))?.toString('latin1') ?? ''
  return text.split('\n').filter(it => it !== '')
}

function parseQueue(lines: readonly string[]): HookReports {
  const words = lines.map(it => it.split(' '))
  const rewrites = new Map<string, string[]>()
  for (const [what, old, rewritten] of words)
    if (what === 'rewrite' && old && rewritten) rewrites.set(rewritten, [...(rewrites.get(rewritten) ?? []), old])
  return {
    commits: words.filter(([what]) => what === 'commit').map(([, skipped]) => ({ skipped: skipped === 'skipped' })),
    otherCommits: words.filter(([what]) => what === 'merge' || what === 'applypatch').length,
    rewrites,
  }
}
