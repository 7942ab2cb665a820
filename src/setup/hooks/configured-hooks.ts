import type { Workspace } from '../../worktree/workspace.ts'
import { gitHookCommand, type GitHook, GIT_HOOKS } from './hook-block.ts'
import { readLocalSettings, removeLocalSection, setLocalSetting } from '../git-config.ts'

/** Names each hook's call in this clone's own config: git runs it beside the hooks folder, in every worktree. */
export async function configureHooks(workspace: Workspace): Promise<void> {
  const found = await readLocalSettings(workspace, CONFIG_KEY_PREFIX)
  for (const hook of GIT_HOOKS) {
    for (const [key, value] of settingsOfHook(hook)) {
      // What is right already keeps every byte of the file, and its time.
      if (found.get(key) !== value) await setLocalSetting(workspace, key, value)
    }
  }
}

/** Takes the calls out of the config; how many there were. */
export async function unconfigureHooks(workspace: Workspace): Promise<number> {
  const sections = new Set(
    [...(await readLocalSettings(workspace, CONFIG_KEY_PREFIX)).keys()].map(it => it.replace(/\.[^.]*$/, '')),
  )
  for (const section of sections) await removeLocalSection(workspace, section)
  return sections.size
}

/** True when this clone's config names kotef's hooks. */
export async function hasConfiguredHooks(workspace: Workspace): Promise<boolean> {
  return (await readLocalSettings(workspace, CONFIG_KEY_PREFIX)).size > 0
}

const CONFIG_KEY_PREFIX = 'hook.kotef-'

function settingsOfHook(hook: GitHook): readonly (readonly [key: string, value: string])[] {
  return [
    [`${CONFIG_KEY_PREFIX}${hook}.event`, hook],
    [`${CONFIG_KEY_PREFIX}${hook}.command`, gitHookCommand(hook)],
  ]
}
