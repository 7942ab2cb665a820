import { join } from 'node:path'
import { fileNameFor } from '../io/file-name.ts'
import type { Place } from './windows.ts'

/** Keeps in mind with which model an agent's session began: most of its payloads don't say. */
export async function rememberModel(place: Place, session: string, model: string): Promise<void> {
  await place.files.put(pathOf(place, session), JSON.stringify({ model }))
}

/** The model with which a session began; null when nobody said. */
export async function rememberedModel(place: Place, session: string): Promise<string | null> {
  const bytes = await place.files.read(pathOf(place, session))
  try {
    const { model } = JSON.parse(bytes?.toString('utf8') ?? '{}') as { model?: unknown }
    return typeof model === 'string' ? model : null
  } catch {
    return null
  }
}

/** Forgets a session that is over. */
export async function forgetModel(place: Place, session: string): Promise<void> {
  await place.files.remove(pathOf(place, session))
}

function pathOf({ gitDir }: Place, session: string): string {
  return join(gitDir, 'kotef/models', fileNameFor(session))
}
