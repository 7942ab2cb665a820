import { readGit } from '../io/git/run-git.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A value of git's config, and the scope that set it. */
export type GitSetting = { readonly scope: string; readonly value: string }

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
