import { INTENT_MAP_PATH, INTENTS_FOLDER, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { addInfoLines, missingInfoLines, removeInfoLines } from './git-info-files.ts'
import { readLocalSettings, removeLocalSection, setLocalSetting } from './hooks/configured-hooks.ts'

const SECTION = 'merge.kotef-registry'

// A clone that has lost kotef's scripts merges the lines, as one without kotef does.
const COMMAND = [
  'driver=$(git rev-parse --git-common-dir)/kotef/merge-registry',
  'if [ -f "$driver" ]; then sh "$driver" %O %A %B %L %P',
  'else git merge-file --marker-size=%L %A %O %B; fi',
].join('; ')

const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  [`${SECTION}.name`, 'kotef: intents by id, each field by field'],
  [`${SECTION}.driver`, COMMAND],
]

// Not in a tracked file: a clone without kotef needs no attribute, and nobody has to commit one.
const MERGED_PATHS = [REGISTRY_PATH, `${INTENTS_FOLDER}/*.yaml`, INTENT_MAP_PATH]
const ATTRIBUTES = MERGED_PATHS.map(it => `/${it} merge=kotef-registry`)

/** Makes git merge registry and intent map by their meaning, in all worktrees; true when a setting was missing. */
export async function configureMergeDriver(workspace: Workspace): Promise<boolean> {
  const due = await missingSettings(workspace)
  for (const [key, value] of due) await setLocalSetting(workspace, key, value)
  return (await addInfoLines(workspace, 'attributes', ATTRIBUTES)) || due.length > 0
}

/** True when git has all settings of the merge driver. */
export async function hasMergeDriver(workspace: Workspace): Promise<boolean> {
  const missing = await missingSettings(workspace)
  return missing.length === 0 && (await missingInfoLines(workspace, 'attributes', ATTRIBUTES)).length === 0
}

/** Makes git merge the lines of the registry again; true when it was otherwise. */
export async function unconfigureMergeDriver(workspace: Workspace): Promise<boolean> {
  const found = (await readLocalSettings(workspace, `${SECTION}.`)).size > 0
  if (found) await removeLocalSection(workspace, SECTION)
  return (await removeInfoLines(workspace, 'attributes', ATTRIBUTES)) || found
}

async function missingSettings(workspace: Workspace) {
  const found = await readLocalSettings(workspace, `${SECTION}.`)
  return SETTINGS.filter(([key, value]) => found.get(key) !== value)
}
