import { rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { announceOwnWrite } from '../../worktree/own-writes.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import type { AgentFileChange } from './plan-agent-files.ts'
import { CONFIG_PATH } from '../../paths/governance-files.ts'
import { withGlobs } from '../../intents/edit-yaml.ts'
import { globList } from '../../paths/globs.ts'
import { loadConfig } from '../../policy/load-policy.ts'

/** Writes the planned changes. When one fails, the others are undone. */
export async function writeFileChanges(workspace: Workspace, changes: readonly AgentFileChange[]): Promise<void> {
  const done: AgentFileChange[] = []
  try {
    for (const change of changes) {
      done.push(change)
      await putFile(workspace, change)
    }
  } catch (thrown) {
    for (const it of done) await putFile(workspace, { ...it, after: it.before }).catch(() => {})
    throw thrown
  }
}

async function putFile(workspace: Workspace, { path, after, mode }: AgentFileChange): Promise<void> {
  const file = join(workspace.root, path)
  if (after === null) return removeFileAndFolders(workspace, path)
  const bytes = Buffer.from(after)
  await announceOwnWrite(workspace, bytes)
  const found = await stat(file).catch(() => null)
  // A file keeps the permissions that a person gave it.
  await workspace.files.replace(file, bytes, found ? (found.mode & 0o7777) | (mode & 0o111) : mode)
}

// Also removes the folders that become empty.
async function removeFileAndFolders({ root, files }: Workspace, path: string): Promise<void> {
  await files.remove(join(root, path))
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const isGone = await rmdir(join(root, at)).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
}

/**
 * Adds the agents' files to the governance list of a repository that has its own, because an agent must not be able to
 * remove its own hooks. Returns the changed files.
 */
export async function governAgentFiles(workspace: Workspace, paths: readonly string[]): Promise<string[]> {
  const isGoverned = globList((await loadConfig(workspace)).governance)
  const missing = paths.filter(it => isGoverned(it)?.kind !== 'in')
  if (missing.length === 0) return []
  const before = (await workspace.files.read(join(workspace.root, CONFIG_PATH)))?.toString('utf8') ?? null
  const after = withGlobs(before ?? '', 'governance', missing)
  await writeFileChanges(workspace, [{ path: CONFIG_PATH, before, after, mode: 0o644 }])
  return [CONFIG_PATH]
}
