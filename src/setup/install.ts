import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moveHookFile, readHookFile, removeHookFile, writeHookFile } from '../io/hook-file.ts'
import { KotefError } from '../report/failure.ts'
import { type Hook, HOOKS, isShell, originOf, withBlock, withoutBlock } from './hook-block.ts'
import type { HooksFolder } from './hooks-folder.ts'
import { announceOwnWrite } from '../workspace/own-writes.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** What hooks run, as it stands in the package; it is copied to where every worktree of the clone finds it. */
export const INSTALLED: readonly { readonly name: string; readonly from: string }[] = [
  ...[...HOOKS, 'common.sh', 'tell.sh'].map(name => ({ name, from: `../../hooks/${name}` })),
  ...['hook.cjs', 'policy.cjs'].map(name => ({ name, from: `../../dist/${name}` })),
]

/** Installs what the hooks run, and calls it from each hook before the user's own lines. */
export async function installHooks(workspace: Workspace, hooks: HooksFolder): Promise<void> {
  const { shared } = placesOf(workspace)
  for (const { name, from } of INSTALLED) {
    await workspace.files.replace(join(shared, name), await packaged(workspace, from), 0o755)
  }
  // Programs without a PATH of ours still find node.
  await workspace.files.replace(join(shared, 'node'), `${process.execPath}\n`)
  // Earlier versions asked the package itself, and kept its place here.
  await workspace.files.remove(join(shared, 'main'))
  for (const hook of HOOKS) await joinHook(workspace, hook, hooks)
}

/** Takes out of a hooks folder exactly what was put in. */
export async function uninstallHooks(folder: string): Promise<string[]> {
  const left: string[] = []
  for (const hook of HOOKS) if (await leave(hook, folder)) left.push(join(folder, hook))
  return left
}

/** The bytes of a file of this package. */
export async function packaged({ files }: Workspace, from: string): Promise<Buffer> {
  const bytes = await files.read(inPackage(from))
  if (bytes) return bytes
  throw new KotefError('package-missing', `${inPackage(from)} is not there: the package is not built.`)
}

function inPackage(from: string): string {
  return fileURLToPath(new URL(from, import.meta.url))
}

async function joinHook(workspace: Workspace, hook: Hook, { manager, folder }: HooksFolder): Promise<void> {
  const path = join(folder, hook)
  const write = async (text: string): Promise<void> => {
    await announceOwnWrite(workspace, Buffer.from(text, 'latin1'))
    await writeHookFile(path, text)
  }
  const found = await readHookFile(path)
  if (!found) return write(withBlock(manager === 'git' ? SHEBANG : '', hook, 'made'))
  // Husky hands every script to sh, executable or not; git obeys the shebang, and leaves alone what is not executable.
  const joinable = !found.isLink && (manager === 'husky' || (isShell(found.text) && found.isExecutable))
  const origin = originOf(found.text)
  if (origin || joinable) return write(withBlock(found.text, hook, origin ?? 'joined'))
  await moveHookFile(path, asideOf(path))
  await write(withBlock(`${SHEBANG}${chainTo(hook)}`, hook, 'made'))
}

async function leave(hook: Hook, folder: string): Promise<boolean> {
  const path = join(folder, hook)
  const found = await readHookFile(path)
  const origin = found && originOf(found.text)
  if (!found || !origin) return false
  const rest = withoutBlock(found.text)
  const isEmpty = [SHEBANG, '', `${SHEBANG}${chainTo(hook)}`].includes(rest)
  if (origin === 'joined' || !isEmpty) await writeHookFile(path, rest)
  else if (await readHookFile(asideOf(path))) await moveHookFile(asideOf(path), path)
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
