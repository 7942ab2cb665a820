import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readPrivateFile } from '../files/private-file.ts'
import type { Workspace } from './workspace.ts'

// Agents' hooks load this file with every tool call.

/**
 * A path in the folder of what only the person at this machine may read: `<git-dir>/kotef-private`, beside the folder
 * of kotef's other files.
 */
export function privatePath({ gitDir }: Pick<Workspace, 'gitDir'>, ...names: readonly string[]): string {
  return join(gitDir, 'kotef-private', ...names)
}

/**
 * The salt of this clone's fingerprints: random, and never in anything that leaves. When it can't be kept, another one,
 * so that nothing is known again, and nobody can try texts all the same.
 */
export async function cloneSalt({ commonDir, files }: Pick<Workspace, 'commonDir' | 'files'>): Promise<string> {
  const folder = privatePath({ gitDir: commonDir })
  const path = join(folder, 'salt')
  const known = saltIn(path)
  if (known !== null) return known
  const salt = `${randomUUID()}${randomUUID()}`.replaceAll('-', '')
  const mine = `${path}.${salt.slice(0, NAME_CHARS)}`
  try {
    await files.privateFolder(folder)
    await files.put(mine, salt)
    // Of several processes one makes it; a damaged one is made again.
    const isFirst = await files.link(mine, path)
    if (!isFirst && saltIn(path) === null) await files.move(mine, path)
  } catch {
    return salt
  } finally {
    await files.remove(mine).catch(() => {})
  }
  return saltIn(path) ?? salt
}

function saltIn(path: string): string | null {
  const text = readPrivateFile(path) ?? ''
  return SALT.test(text) ? text : null
}

const SALT = /^[\da-f]{64}$/
const NAME_CHARS = 12
