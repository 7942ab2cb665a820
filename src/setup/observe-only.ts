import { dirname, join } from 'node:path'
import { announceOwnWrite } from '../worktree/own-writes.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** True when the repository has a registry of intents. */
export async function hasRegistry(workspace: Workspace): Promise<boolean> {
  return (await workspace.files.modifiedAt(layoutOf(workspace).registry)) !== null
}

/** Creates the files that a daemon needs in a repository without `kotef init`: an empty registry and a .gitignore. */
export async function prepareObserveOnly(workspace: Workspace): Promise<void> {
  const { registry } = layoutOf(workspace)
  await writeIfMissing(workspace, registry, EMPTY_REGISTRY)
  await writeIfMissing(workspace, join(dirname(registry), '.gitignore'), ORCHESTRATION_GITIGNORE)
}

/** Writes a file of kotef's own; false when the path exists already. */
export async function writeIfMissing(workspace: Workspace, path: string, text: string): Promise<boolean> {
  if ((await workspace.files.modifiedAt(path)) !== null) return false
  await announceOwnWrite(workspace, Buffer.from(text))
  await workspace.files.replace(path, text)
  return true
}

/** A registry without intents. */
export const EMPTY_REGISTRY = 'version: 1\nactive_intents: []\n'
/** The .gitignore of .orchestration. */
export const ORCHESTRATION_GITIGNORE = 'agent_trace.jsonl\n.flush-*\n*.tmp\n'
