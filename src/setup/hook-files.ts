import { join } from 'node:path'
import { moveHookFile, readHookFile, removeHookFile, writeHookFile } from '../io/hook-file.ts'
import { announceOwnWrite } from '../workspace/own-writes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Hook, HOOKS, isShell, originOf, withBlock, withoutBlock } from './hook-block.ts'
import type { HooksFolder } from './hooks-folder.ts'

/** Calls kotef from each hook file of a folder, before the user's own lines; the files that had to be changed. */
export async function joinHooks(workspace: Workspace, hooks: HooksFolder): Promise<string[]> {
  const changed: string[] = []
  for (const hook of HOOKS) if (await joinHook(workspace, hook, hooks)) changed.push(join(hooks.folder, hook))
  return changed
}

/** Takes out of a hooks folder exactly what was put in; the files that it was in. */
export async function leaveHooks(folder: string): Promise<string[]> {
  const left: string[] = []
  for (const hook of HOOKS) {
    for (const name of [hook, ...SET_ASIDE.map(it => `${hook}${it}`)]) {
      if (await leave(hook, join(folder, name))) left.push(join(folder, name))
    }
  }
  return left
}

// Where pre-commit and lefthook put the hook that they found.
const SET_ASIDE = ['.legacy', '.old']

async function joinHook(workspace: Workspace, hook: Hook, { manager, folder }: HooksFolder): Promise<boolean> {
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
  // Husky hands every script to sh, executable or not; git obeys the shebang, and leaves alone what is not executable.
  const { text, isLink, isExecutable } = found
  const origin = text === null ? null : originOf(text)
  if (text !== null && origin) return write(withBlock(text, hook, origin))
  if (text !== null && !isLink && (isHusky || (isShell(text) && isExecutable))) {
    return write(withBlock(text, hook, 'joined'))
  }
  await moveHookFile(path, asideOf(path))
  return write(withBlock(`${SHEBANG}${chainTo(hook)}`, hook, 'made'))
}

async function leave(hook: Hook, path: string): Promise<boolean> {
  const text = (await readHookFile(path))?.text ?? null
  const origin = text === null ? null : originOf(text)
  if (text === null || !origin) return false
  const rest = withoutBlock(text)
  const isEmpty = [SHEBANG, '', `${SHEBANG}${chainTo(hook)}`].includes(rest)
  const aside = asideOf(join(path, '..', hook))
  if (origin === 'joined' || !isEmpty) await writeHookFile(path, rest)
  else if (await readHookFile(aside)) await moveHookFile(aside, path)
  else await removeHookFile(path)
  return true
}

const SHEBANG = '#!/bin/sh\n'

function asideOf(path: string): string {
  return `${path}.before-kotef`
}

function chainTo(hook: Hook): string {
  return `[ ! -x "\${0%/*}/${hook}.before-kotef" ] || exec "\${0%/*}/${hook}.before-kotef" "$@"\n`
}
