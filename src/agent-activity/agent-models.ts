import { join } from 'node:path'
import { fileNameFor } from '../io/files/file-name.ts'
import type { ActivityStore } from './windows.ts'

/** Keeps in mind with which model an agent's session began: most of its payloads don't say. */
export async function saveSessionModel(store: ActivityStore, session: string, model: string): Promise<void> {
  await store.files.put(modelPath(store, session), JSON.stringify({ model }))
}

/** The model with which a session began; null when nobody said. */
export async function readSessionModel(store: ActivityStore, session: string): Promise<string | null> {
  const bytes = await store.files.read(modelPath(store, session))
  try {
    const { model } = JSON.parse(bytes?.toString('utf8') ?? '{}') as { model?: unknown }
    return typeof model === 'string' ? model : null
  } catch {
    return null
  }
}

/** Forgets a session that is over. */
export async function removeSessionModel(store: ActivityStore, session: string): Promise<void> {
  await store.files.remove(modelPath(store, session))
}

function modelPath({ gitDir }: ActivityStore, session: string): string {
  return join(gitDir, 'kotef/models', fileNameFor(session))
}
