import { join } from 'node:path'
import { blobOid } from '../../diff/blob.ts'
import { placesOf, type Workspace } from '../../workspace/workspace.ts'
import { isMention, type Part } from './part.ts'
import type { Change } from './plan.ts'

/** Files as they were before kotef came, where taking it out gives something else; and what it wrote there. */
export type Originals = Readonly<Record<string, { readonly text: string; readonly wrote: string }>>

/** Reads them; there are none where nobody can. */
export async function readOriginals(workspace: Workspace): Promise<Originals> {
  const bytes = await workspace.files.read(placeOf(workspace)).catch(() => null)
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '{}') as Originals
  } catch {
    return {}
  }
}

/** The file as it was, if nobody has changed what kotef wrote there; else null. */
export function originalOf(originals: Originals, path: string, text: string): string | null {
  const found = originals[path]
  return found?.wrote === blobOid(Buffer.from(text)) && typeof found.text === 'string' ? found.text : null
}

/** Keeps the files that are about to be changed, as far as taking kotef out again would not give them back. */
export async function keepOriginals(
  workspace: Workspace,
  changes: readonly Change[],
  parts: readonly Part[],
): Promise<void> {
  const before = await readOriginals(workspace)
  const kept: Record<string, Originals[string]> = { ...before }
  for (const { path, before: text, after } of changes) {
    const part = parts.find(it => it.path === path)
    if (text === null || after === null || !part) continue
    const original = originalOf(before, path, text) ?? (isMention(text) ? null : text)
    delete kept[path]
    if (original !== null && part.leave(after) !== original)
      kept[path] = { text: original, wrote: blobOid(Buffer.from(after)) }
  }
  if (JSON.stringify(kept) === JSON.stringify(before)) return
  await workspace.files.replace(placeOf(workspace), JSON.stringify(kept))
}

/** Forgets them all. */
export async function forgetOriginals(workspace: Workspace): Promise<void> {
  await workspace.files.remove(placeOf(workspace))
}

function placeOf(workspace: Workspace): string {
  return join(placesOf(workspace).own, 'agent-files.json')
}
