import { type CheckPass, parsePasses } from '../../core/intents/contract/check-result.ts'
import { sha256Hex } from '../../core/base/sha256.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../io/worktree/workspace.ts'

/** The pass of a command that has this key; null when there is none, or it can't be read. */
export async function findPass(access: GitDirAccess, command: string, key: string): Promise<CheckPass | null> {
  return (await passesOf(access, command)).find(it => it.key === key) ?? null
}

/** Keeps a pass of a command. A pass that can't be kept is only made again. */
export async function keepPass(access: GitDirAccess, command: string, pass: CheckPass): Promise<void> {
  const others = (await passesOf(access, command)).filter(it => it.key !== pass.key)
  await passDir(access)
    .put(nameOf(command), [...others, pass].slice(-PASSES_MAX))
    .catch(() => {})
}

// Of each command: as many trees as one goes back and forth between.
const PASSES_MAX = 20

async function passesOf(access: GitDirAccess, command: string): Promise<readonly CheckPass[]> {
  return (
    (await passDir(access)
      .get(nameOf(command))
      .catch(() => null)) ?? []
  )
}

function passDir(access: GitDirAccess) {
  return recordDir(access, { folder: ['passes'], fileName: /\.json$/, parse: parsePasses, isPrivate: true })
}

function nameOf(command: string): string {
  return `${sha256Hex(command)}.json`
}
