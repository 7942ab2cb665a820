import { join } from 'node:path'
import type { Rewrites } from './source-commits.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What the hooks that come after the fact have told of. */
export type HookReports = {
  /** For each commit that was made here, oldest first, whether the hooks were switched off for it. */
  readonly commits: readonly { readonly skipped: boolean }[]
  /** How many merges and patches got in besides. */
  readonly otherCommits: number
  readonly rewrites: Rewrites
}

/** Hands over what was told since the last time, and forgets it when the work on it is done. */
export async function drainHookQueue(workspace: Workspace, work: (told: HookReports) => Promise<void>): Promise<void> {
  const { own } = layoutOf(workspace)
  const { files } = workspace
  const [queue, taken] = [join(own, 'queue'), join(own, 'queue.taken')]
  // A judgement that was cut short left what it had taken; that comes first.
  if ((await files.modifiedAt(taken)) === null) await files.move(queue, taken)
  const lines = await queueLines(workspace, taken)
  await work(parseQueue(lines))
  // A hook that had the file open when it was taken may have written since.
  const late = (await queueLines(workspace, taken)).slice(lines.length)
  if (late.length > 0) await work(parseQueue(late))
  await files.remove(taken)
}

/** True when there is something to hand over. */
export async function hasHookReports(workspace: Workspace): Promise<boolean> {
  const { own } = layoutOf(workspace)
  const times = await Promise.all(['queue', 'queue.taken'].map(it => workspace.files.modifiedAt(join(own, it))))
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
