import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isExecutable, readHookFile, writeHookFile } from '../hook-file.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { type GitHook, GIT_HOOKS, withBlock } from './hook-block.ts'
import { proxyFolder } from './detect-hooks.ts'
import {
  readFolderSetting,
  readGitSetting,
  readLocalSettings,
  setLocalSetting,
  unsetLocalSetting,
} from './configured-hooks.ts'

/**
 * Gives the clone a hooks folder of its own when `core.hooksPath` names one that other repositories use too. Each hook
 * calls kotef, and then the script of that name in the other folder.
 */
export async function installHooksProxy(workspace: Workspace): Promise<void> {
  const folder = proxyFolder(workspace)
  const setting = await readGitSetting(workspace, 'core.hooksPath')
  if (setting?.scope === 'local' && !setting.value.endsWith('/kotef/hooks')) {
    await setLocalSetting(workspace, ORIGINAL_PATH_KEY, setting.value)
  }
  const tail = proxyTail((await originalHooksPath(workspace)) !== null)
  const names = await proxiedHookNames(await proxiedFolder(workspace))
  for (const name of names) await writeIfChanged(join(folder, name), proxyScript(name, tail))
  for (const name of await readdir(folder)) if (!names.includes(name)) await rm(join(folder, name), { force: true })
  if (setting?.value !== folder) await setLocalSetting(workspace, 'core.hooksPath', folder)
}

/** Restores the clone's previous core.hooksPath; true when kotef's folder was in use. */
export async function removeHooksProxy(workspace: Workspace): Promise<boolean> {
  const setting = await readGitSetting(workspace, 'core.hooksPath')
  const before = await originalHooksPath(workspace)
  await rm(proxyFolder(workspace), { recursive: true, force: true })
  if (before !== null) await unsetLocalSetting(workspace, ORIGINAL_PATH_KEY)
  if (setting?.scope !== 'local' || !setting.value.endsWith('/kotef/hooks')) return false
  if (before === null) await unsetLocalSetting(workspace, 'core.hooksPath')
  else await setLocalSetting(workspace, 'core.hooksPath', before)
  return true
}

/** The folder that kotef's hooks forward to, by the current settings; null when it is git's own. */
export async function proxiedFolder(workspace: Workspace): Promise<string | null> {
  return readFolderSetting(
    workspace,
    (await originalHooksPath(workspace)) === null ? 'core.hooksPath' : ORIGINAL_PATH_KEY,
  )
}

// The clone's own previous setting. Git drops the section with its last key.
const ORIGINAL_PATH_KEY = 'kotef.hooksPath'

async function originalHooksPath(workspace: Workspace): Promise<string | null> {
  return (
    (await readLocalSettings(workspace, ORIGINAL_PATH_KEY.toLowerCase())).get(ORIGINAL_PATH_KEY.toLowerCase()) ?? null
  )
}

// The mere presence of these hooks changes what git does, or costs time, so each is made only if the other folder has
// it. All other hooks are made always, so that a script which the other folder gets later is run.
const ALWAYS_PROXIED_HOOKS = [
  ...GIT_HOOKS,
  'applypatch-msg',
  'pre-applypatch',
  'pre-rebase',
  'pre-auto-gc',
  'sendemail-validate',
  'pre-receive',
  'update',
  'post-receive',
  'post-update',
]

async function proxiedHookNames(next: string | null): Promise<string[]> {
  const names = next === null ? [] : await readdir(next).catch(() => [])
  const hooks = names.filter(it => /^[a-z][a-z0-9-]*$/.test(it))
  const canRun = await Promise.all(hooks.map(it => isExecutable(join(next ?? '', it))))
  return [...new Set([...ALWAYS_PROXIED_HOOKS, ...hooks.filter((_, n) => canRun[n])])]
}

function proxyScript(name: string, tail: string): string {
  const script = `#!/bin/sh\n${tail.replaceAll('NAME', name)}`
  return isKotefHook(name) ? withBlock(script, name, 'made') : script
}

function isKotefHook(name: string): name is GitHook {
  return GIT_HOOKS.some(it => it === name)
}

// Reads the setting at each run, because the folder can move. Git's own folder is the default.
function proxyTail(hasBefore: boolean): string {
  const query = hasBefore ? `git config --type=path ${ORIGINAL_PATH_KEY}` : USER_HOOKS_PATH_QUERIES.join(' ||\n  ')
  return `next=$(${query}) || next="\${0%/*}/../../hooks"
[ ! -x "$next/NAME" ] || exec "$next/NAME" "$@"
`
}

const USER_HOOKS_PATH_QUERIES = ['--global', '--system'].map(
  it => `git config --includes ${it} --type=path core.hooksPath`,
)

async function writeIfChanged(path: string, text: string): Promise<void> {
  const found = await readHookFile(path)
  if (found?.text !== text || !found.isExecutable) await writeHookFile(path, text)
}
