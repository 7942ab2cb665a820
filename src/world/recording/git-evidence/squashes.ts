import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { PathChange } from '../../../core/git/changes.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import { readRegularFileSync } from '../../io/files/regular-file.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { headAt } from './auto-merge.ts'

/** A `git merge --squash`: the commit that it brought, on top of which HEAD, and when (ms since 1970). */
export type Squash = { readonly tip: string; readonly onto: string | null; readonly at: number }

/** The squash that waits for its commit; null when none does. */
export function readSquash(workspace: Pick<Workspace, 'gitDir' | 'commonDir'>): Squash | null {
  try {
    const path = join(workspace.gitDir, 'SQUASH_MSG')
    const at = statSync(path).mtimeMs
    const tip = squashedTip(readRegularFileSync(path)?.toString('latin1') ?? '')
    return tip === null ? null : { tip, onto: headAt(workspace, at), at }
  } catch {
    return null
  }
}

/** The commit that a squash brought, by the message that git proposes for it; null for any other message. */
export function squashedTip(message: string): string | null {
  return /^Squashed commit of the following:\n\ncommit ([0-9a-f]{40,64})$/m.exec(message)?.[1] ?? null
}

type Changes = (from: string, to: string) => Promise<ReadonlyMap<string, PathChange>>

/** Whether git removed a file as it brought a commit: it is gone there, and stayed as it was on the side of HEAD. */
export async function isRemovedBySquash(
  { git }: Pick<Workspace, 'git'>,
  { tip, onto, path }: { readonly tip: string; readonly onto: string; readonly path: string },
  changes: Changes,
): Promise<boolean> {
  const base = await git.tryAsk(mergeBase(onto, tip))
  if (!base) return false
  const change = (await changes(base, tip)).get(path)
  return change?.after === null && !(await changes(base, onto)).has(path)
}

/** The message of a commit. */
export function messageOf(commit: string): GitQuery<string> {
  return { args: ['show', '--no-patch', '--format=%B', commit], parse: out => out }
}

function mergeBase(one: string, other: string): GitQuery<string> {
  return { args: ['merge-base', one, other], parse: out => out.trim() }
}
