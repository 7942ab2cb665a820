import { dirname, join } from 'node:path'
import { announceOwnWrite } from '../workspace/own-writes.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** True when the repository has a registry of intents. */
export async function isGoverned(workspace: Workspace): Promise<boolean> {
  return (await workspace.files.modifiedAt(placesOf(workspace).registry)) !== null
}

/** Creates what a daemon needs where nobody has initialised: a registry without intents, and its .gitignore. */
export async function prepareToObserve(workspace: Workspace): Promise<void> {
  const { registry } = placesOf(workspace)
  await writeNew(workspace, registry, EMPTY_REGISTRY)
  await writeNew(workspace, join(dirname(registry), '.gitignore'), IGNORED)
}

/** Writes a file of kotef's own that is not there yet; false when something stands in its place. */
export async function writeNew(workspace: Workspace, path: string, text: string): Promise<boolean> {
  if ((await workspace.files.modifiedAt(path)) !== null) return false
  await announceOwnWrite(workspace, Buffer.from(text))
  await workspace.files.replace(path, text)
  return true
}

/** A registry that names nothing. */
export const EMPTY_REGISTRY = 'version: 1\nactive_intents: []\n'
/** What git must not track in .orchestration. */
export const IGNORED = 'agent_trace.jsonl\n.flush-*\n*.tmp\n'
