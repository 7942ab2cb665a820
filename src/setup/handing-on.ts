import { access, constants, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readHookFile, writeHookFile } from '../io/hook-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Hook, HOOKS, withBlock } from './hook-block.ts'
import { ownFolder } from './found-hooks.ts'
import { globalPath, localSettings, setLocally, settingOf, unsetLocally } from './local-config.ts'

/**
 * Gives the clone a hooks folder of its own, where `core.hooksPath` names one that other repositories use as well:
 * each hook calls kotef, and then hands on to the script of that name in the other folder.
 */
export async function handOn(workspace: Workspace): Promise<void> {
  const own = ownFolder(workspace)
  const setting = await settingOf(workspace, 'core.hooksPath')
  if (setting?.scope === 'local' && !setting.value.endsWith('/kotef/hooks')) {
    await setLocally(workspace, BEFORE, setting.value)
  }
  const tail = tailFor((await valueBefore(workspace)) !== null)
  const names = await hookNames(await nextFolder(workspace))
  for (const name of names) await writeUnlessSame(join(own, name), textOf(name, tail))
  for (const name of await readdir(own)) if (!names.includes(name)) await rm(join(own, name), { force: true })
  if (setting?.value !== own) await setLocally(workspace, 'core.hooksPath', own)
}

/** Gives the clone back the hooks folder that it had; true when it had another one. */
export async function stopHandingOn(workspace: Workspace): Promise<boolean> {
  const setting = await settingOf(workspace, 'core.hooksPath')
  const before = await valueBefore(workspace)
  await rm(ownFolder(workspace), { recursive: true, force: true })
  if (before !== null) await unsetLocally(workspace, BEFORE)
  if (setting?.scope !== 'local' || !setting.value.endsWith('/kotef/hooks')) return false
  if (before === null) await unsetLocally(workspace, 'core.hooksPath')
  else await setLocally(workspace, 'core.hooksPath', before)
  return true
}

/** The folder that ours hands on to, as it is set now; null when git's own is the next. */
export async function nextFolder(workspace: Workspace): Promise<string | null> {
  return globalPath(workspace, (await valueBefore(workspace)) === null ? 'core.hooksPath' : BEFORE)
}

// What the clone itself had named. Git config drops the section with its last key.
const BEFORE = 'kotef.hooksPath'

async function valueBefore(workspace: Workspace): Promise<string | null> {
  return (await localSettings(workspace, BEFORE.toLowerCase())).get(BEFORE.toLowerCase()) ?? null
}

// For these git does something else, or a lot, as soon as there is a script at all: they are handed on only where the
// other folder has one. The rest is handed on always, so that what comes there later runs from its first day.
const ALWAYS = [
  ...HOOKS,
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

async function hookNames(next: string | null): Promise<string[]> {
  const names = next === null ? [] : await readdir(next).catch(() => [])
  const hooks = names.filter(it => /^[a-z][a-z0-9-]*$/.test(it))
  const canRun = await Promise.all(hooks.map(it => isExecutable(join(next ?? '', it))))
  return [...new Set([...ALWAYS, ...hooks.filter((_, n) => canRun[n])])]
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function textOf(name: string, tail: string): string {
  const script = `#!/bin/sh\n${tail.replaceAll('NAME', name)}`
  return isOurs(name) ? withBlock(script, name, 'made') : script
}

function isOurs(name: string): name is Hook {
  return HOOKS.some(it => it === name)
}

// Asked each time, so that a folder that moves is found where it is; git's own folder is the last resort.
function tailFor(hasBefore: boolean): string {
  const asked = hasBefore ? `git config --type=path ${BEFORE}` : FOR_THE_USER.join(' ||\n  ')
  return `next=$(${asked}) || next="\${0%/*}/../../hooks"
[ ! -x "$next/NAME" ] || exec "$next/NAME" "$@"
`
}

const FOR_THE_USER = ['--global', '--system'].map(it => `git config --includes ${it} --type=path core.hooksPath`)

async function writeUnlessSame(path: string, text: string): Promise<void> {
  const found = await readHookFile(path)
  if (found?.text !== text || !found.isExecutable) await writeHookFile(path, text)
}
