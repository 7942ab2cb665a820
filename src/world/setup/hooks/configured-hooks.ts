import type { Workspace } from '../../io/worktree/workspace.ts'
import { GIT_HOOKS, type GitHook, gitHookCommand } from './hook-block.ts'
import { readGit } from '../../io/git/run-git.ts'

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

/** A value of git's config, and the scope that set it. */
type GitSetting = { readonly scope: string; readonly value: string }

/** The effective value of a setting in this worktree, from any scope; null when it is not set. */
export async function readGitSetting(workspace: Workspace, key: string): Promise<GitSetting | null> {
  const [scope, value] = (await runGitConfig(workspace, ['--show-scope', '--null', '--get', key])).split('\0')
  return scope && value !== undefined ? { scope, value } : null
}

/** A folder that a setting names: core.hooksPath of the user's own files, any other key of this clone's; or null. */
export async function readFolderSetting(workspace: Workspace, key: string): Promise<string | null> {
  const scopes = key === 'core.hooksPath' ? ['--global', '--system'] : ['--local']
  for (const scope of scopes) {
    const value = await runGitConfig(workspace, [scope, '--includes', '--type=path', '--get', key])
    if (value !== '') return value.replace(/\n$/, '')
  }
  return null
}

/** The settings of this clone's own config whose names begin with a prefix. */
export async function readLocalSettings(workspace: Workspace, prefix: string): Promise<ReadonlyMap<string, string>> {
  const out = await runGitConfig(workspace, ['--local', '--null', '--get-regexp', `^${prefix.replaceAll('.', '\\.')}`])
  const entries = out.split('\0').slice(0, -1)
  return new Map(entries.map(it => [it.split('\n', 1)[0] ?? '', it.slice(it.indexOf('\n') + 1)]))
}

/** Sets a value in this clone's own config. */
export async function setLocalSetting(workspace: Workspace, key: string, value: string): Promise<void> {
  await runGitConfig(workspace, ['--local', key, value])
}

/** Removes a setting from this clone's own config. */
export async function unsetLocalSetting(workspace: Workspace, key: string): Promise<void> {
  await runGitConfig(workspace, ['--local', '--unset-all', key])
}

/** Removes a section from this clone's own config. */
export async function removeLocalSection(workspace: Workspace, section: string): Promise<void> {
  await runGitConfig(workspace, ['--local', '--remove-section', section])
}

// Not by the `Git` port: its simple-git refuses to change a setting that names a program.
async function runGitConfig({ root }: Workspace, args: readonly string[]): Promise<string> {
  // Exit code 1 means that there is no such setting, and 5 that there was none to remove.
  return (await readGit(['config', ...args], { cwd: root, acceptedExits: [1, 5] })).toString('utf8')
}
