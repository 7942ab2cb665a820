import { fileNameFor } from '../../io/files/file-name.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { recordDir } from '../../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../../io/worktree/workspace.ts'

/** Saves the model with which an agent's session began: most of its later payloads do not name it. */
export async function saveSessionModel(access: GitDirAccess, session: string, model: string): Promise<void> {
  await modelsDir(access).put(fileNameFor(session), { model })
}

/** The model with which a session began; null when no payload named it. */
export async function readSessionModel(access: GitDirAccess, session: string): Promise<string | null> {
  return (await modelsDir(access).get(fileNameFor(session)))?.model ?? null
}

/** Removes the model of a session that has ended. */
export async function removeSessionModel(access: GitDirAccess, session: string): Promise<void> {
  await modelsDir(access).remove(fileNameFor(session))
}

function modelsDir(access: GitDirAccess) {
  return recordDir(access, { folder: ['models'], fileName: /./, parse: parseModel })
}

function parseModel(text: string): { model: string } | null {
  const { model } = { ...parseObject(text) }
  return typeof model === 'string' ? { model } : null
}
