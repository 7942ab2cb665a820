import { join } from 'node:path'
import type { Rewrites } from './inherited.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** What the hooks that come after the fact have told of. */
export type Told = {
  /** For each commit that was made here, oldest first, whether the hooks were switched off for it. */
  readonly commits: readonly { readonly skipped: boolean }[]
  /** How many merges and patches got in besides. */
  readonly others: number
  readonly rewrites: Rewrites
}

/** Hands over what was told since the last time, and forgets it when the work on it is done. */
export async function withTold(workspace: Workspace, work: (told: Told) => Promise<void>): Promise<void> {
  const { own } = placesOf(workspace)
  const { files } = workspace
  const [queue, taken] = [join(own, 'queue'), join(own, 'queue.taken')]
  // A judgement that was cut short left what it had taken; that comes first.
  if ((await files.modifiedAt(taken)) === null) await files.move(queue, taken)
  const lines = await linesOf(workspace, taken)
  await work(readTold(lines))
  // A hook that had the file open when it was taken may have written since.
  const late = (await linesOf(workspace, taken)).slice(lines.length)
  if (late.length > 0) await work(readTold(late))
  await files.remove(taken)
}

/** True when there is something to hand over. */
export async function isSomethingTold(workspace: Workspace): Promise<boolean> {
  const { own } = placesOf(workspace)
  const times = await Promise.all(['queue', 'queue.taken'].map(it => workspace.files.modifiedAt(join(own, it))))
  return times.some(it => it !== null)
}

async function linesOf({ files }: Workspace, path: string): Promise<string[]> {
  const text = (await files.read(path))?.toString('latin1') ?? ''
  return text.split('\n').filter(it => it !== '')
}

function readTold(lines: readonly string[]): Told {
  const words = lines.map(it => it.split(' '))
  const rewrites = new Map<string, string[]>()
  for (const [what, old, anew] of words)
    if (what === 'rewrite' && old && anew) rewrites.set(anew, [...(rewrites.get(anew) ?? []), old])
  return {
    commits: words.filter(([what]) => what === 'commit').map(([, skipped]) => ({ skipped: skipped === 'skipped' })),
    others: words.filter(([what]) => what === 'merge' || what === 'applypatch').length,
    rewrites,
  }
}
