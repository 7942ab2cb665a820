import { join } from 'node:path'
import { CONFIG_PATH } from '../../paths/governance-files.ts'
import { withGlobs } from '../../intents/edit-yaml.ts'
import { globList } from '../../paths/globs.ts'
import { loadConfig } from '../../policy/load-policy.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { writeFileChanges } from './write-changes.ts'

/**
 * Puts the files in which agents are told of kotef under governance, where a repository has a list of its own and they
 * are not on it: an agent must not be able to switch itself free. The files that were changed.
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
