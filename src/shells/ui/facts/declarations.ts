import { mapOfHead } from '../../../world/code/code-map/code-index.ts'
import type { MapEntry } from '../../../core/code/map/map-entry.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import { readHead } from '../../../world/io/worktree/head.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type SlowSource, slowSource } from './slow-source.ts'

const sources = new WeakMap<Workspace, SlowSource<readonly MapEntry[]>>()

/** Asks for the entries of the intent map of HEAD, and waits for them as long as `wait`. */
export async function askDeclarations(
  workspace: Workspace,
  wait: Promise<unknown> | null,
): Promise<SlowFacts<readonly MapEntry[]>> {
  const head = await readHead(workspace)
  if (head === null) return { value: [], isCurrent: true, share: 1, failure: null }
  const source = sources.get(workspace) ?? slowSource(async () => (await mapOfHead(workspace)).entries)
  sources.set(workspace, source)
  return source.ask(head, wait)
}
