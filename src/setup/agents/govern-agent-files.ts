import { join } from 'node:path'
import { CONFIG_PATH } from '../../paths/governance-files.ts'
import { withGlobs } from '../../intents/edit-yaml.ts'
import { globList } from '../../paths/globs.ts'
import { loadConfig } from '../../policy/load-policy.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { writeFileChanges } from './write-changes.ts'

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
