import { isAbsolute, join, relative } from 'node:path'
import { rm, rmdir } from 'node:fs/promises'
import { moveHookFile, readHookFile, writeHookFile } from '../hook-file.ts'
import { announceOwnWrite } from '../../io/worktree/own-writes.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { blockOrigin, GIT_HOOKS, type GitHook, isShellScript, withBlock, withoutBlock } from './hook-block.ts'
import type { HooksSetup } from './hooks-setup.ts'
import { layoutOf } from '../../io/worktree/layout.ts'

/** Makes each hook file of a folder call kotef before the user's own lines, and returns the changed files. */
export async function addToHookFiles(workspace: Workspace, hooks: HooksSetup): Promise<string[]> {
  const changed: string[] = []
  for (const hook of GIT_HOOKS) if (await addToHookFile(workspace, hook, hooks)) changed.push(join(hooks.folder, hook))
  return changed
}

/** Removes kotef's lines from the files of a hooks folder, and returns these files. */
export async function removeFromHookFiles(folder: string): Promise<string[]> {
  const changed: string[] = []
  for (const hook of GIT_HOOKS) {
    for (const name of [hook, ...MANAGER_BACKUP_SUFFIXES.map(it => `${hook}${it}`)]) {
      if (await removeFromHookFile(hook, join(folder, name))) changed.push(join(folder, name))
    }
  }
  return changed
}

// pre-commit and lefthook rename an existing hook to one of these.
const MANAGER_BACKUP_SUFFIXES = ['.legacy', '.old']

async function addToHookFile(workspace: Workspace, hook: GitHook, { manager, folder }: HooksSetup): Promise<boolean> {
  const path = join(folder, hook)
  const isHusky = manager === 'husky'
  const found = await readHookFile(path)
  const write = async (text: string): Promise<boolean> => {
    if (found?.text === text && (isHusky || found.isExecutable)) return false
    await announceOwnWrite(workspace, Buffer.from(text, 'latin1'))
    await writeHookFile(path, text)
    return true
  }
  if (!found) return write(withBlock(isHusky ? '' : SHEBANG, hook, 'made'))
  // Husky runs every script by sh. Git obeys the shebang, and ignores a file that is not executable.
  const { text, isLink, isExecutable } = found
  const origin = text === null ? null : blockOrigin(text)
  if (text !== null && origin) return write(withBlock(text, hook, origin))
  if (text !== null && !isLink && (isHusky || (isShellScript(text) && isExecutable))) {
    return write(withBlock(text, hook, 'joined'))
  }
  await moveHookFile(path, backupPath(path))
  return write(withBlock(`${SHEBANG}${chainToBackup(hook)}`, hook, 'made'))
}

async function removeFromHookFile(hook: GitHook, path: string): Promise<boolean> {
  const text = (await readHookFile(path))?.text ?? null
  const origin = text === null ? null : blockOrigin(text)
  if (text === null || !origin) return false
  const rest = withoutBlock(text)
  const isEmpty = [SHEBANG, '', `${SHEBANG}${chainToBackup(hook)}`].includes(rest)
  const backup = backupPath(join(path, '..', hook))
  if (origin === 'joined' || !isEmpty) await writeHookFile(path, rest)
  else if (await readHookFile(backup)) await moveHookFile(backup, path)
  else await rm(path, { force: true })
  return true
}

const SHEBANG = '#!/bin/sh\n'

function backupPath(path: string): string {
  return `${path}.before-kotef`
}

function chainToBackup(hook: GitHook): string {
  return `[ ! -x "\${0%/*}/${hook}.before-kotef" ] || exec "\${0%/*}/${hook}.before-kotef" "$@"\n`
}

/** Records a folder that kotef made, so that uninit removes it. */
export async function recordCreatedFolder(workspace: Workspace, folder: string): Promise<void> {
  const folders = [...(await readCreatedFolders(workspace)), folder].map(it => relative(workspace.commonDir, it))
  await workspace.files.replace(createdFoldersPath(workspace), `${[...new Set(folders)].join('\n')}\n`)
}

/** Removes the folders that kotef made, if they are empty. */
export async function removeCreatedFolders(workspace: Workspace): Promise<void> {
  for (const folder of await readCreatedFolders(workspace)) await rmdir(folder).catch(() => {})
  await workspace.files.remove(createdFoldersPath(workspace))
}

async function readCreatedFolders(workspace: Workspace): Promise<string[]> {
  const text = (await workspace.files.read(createdFoldersPath(workspace)))?.toString('utf8') ?? ''
  const paths = text.split('\n').filter(it => it !== '')
  return paths.map(it => (isAbsolute(it) ? it : join(workspace.commonDir, it)))
}

function createdFoldersPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'made-folders')
}
