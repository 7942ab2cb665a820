import type { Workspace } from '../workspace/workspace.ts'
import { commandFor, type Hook, HOOKS } from './hook-block.ts'
import { localSettings, removeSection, setLocally } from './local-config.ts'

/** Names each hook's call in this clone's own config: git runs it beside the hooks folder, in every worktree. */
export async function configureHooks(workspace: Workspace): Promise<void> {
  const found = await localSettings(workspace, PREFIX)
  for (const hook of HOOKS) {
    for (const [key, value] of settingsFor(hook)) {
      // What is right already keeps every byte of the file, and its time.
      if (found.get(key) !== value) await setLocally(workspace, key, value)
    }
  }
}

/** Takes the calls out of the config; how many there were. */
export async function unconfigureHooks(workspace: Workspace): Promise<number> {
  const sections = new Set([...(await localSettings(workspace, PREFIX)).keys()].map(it => it.replace(/\.[^.]*$/, '')))
  for (const section of sections) await removeSection(workspace, section)
  return sections.size
}

/** True when this clone's config names kotef's hooks. */
export async function hasConfiguredHooks(workspace: Workspace): Promise<boolean> {
  return (await localSettings(workspace, PREFIX)).size > 0
}

const PREFIX = 'hook.kotef-'

function settingsFor(hook: Hook): readonly (readonly [key: string, value: string])[] {
  return [
    [`${PREFIX}${hook}.event`, hook],
    [`${PREFIX}${hook}.command`, commandFor(hook)],
  ]
}
