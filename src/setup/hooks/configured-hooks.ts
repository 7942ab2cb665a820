import type { Workspace } from '../../worktree/workspace.ts'
import { gitHookCommand, type GitHook, GIT_HOOKS } from './hook-block.ts'
import { readLocalSettings, removeLocalSection, setLocalSetting } from '../git-config.ts'

/** Adds kotef's hooks to this clone's own config. Git runs them besides the hooks folder, in all worktrees. */
export async function configureHooks(workspace: Workspace): Promise<void> {
  const found = await readLocalSettings(workspace, CONFIG_KEY_PREFIX)
  for (const hook of GIT_HOOKS) {
    for (const [key, value] of settingsOfHook(hook)) {
      // An equal setting is not written again, so the config file keeps its bytes and its time.
      if (found.get(key) !== value) await setLocalSetting(workspace, key, value)
    }
  }
}

/** Removes kotef's hooks from the config, and returns their number. */
export async function unconfigureHooks(workspace: Workspace): Promise<number> {
  const sections = new Set(
    [...(await readLocalSettings(workspace, CONFIG_KEY_PREFIX)).keys()].map(it => it.replace(/\.[^.]*$/, '')),
  )
  for (const section of sections) await removeLocalSection(workspace, section)
  return sections.size
}

/** True when this clone's config has hooks of kotef. */
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
