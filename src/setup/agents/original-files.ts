import { blobOid } from '../../git/blob-oid.ts'
import { ownPath } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { mentionsKotef, type AgentFile } from './agent-file.ts'
import type { AgentFileChange } from './plan-agent-files.ts'

/** The original text of files that removing kotef's entries would not restore, and the blob id of what kotef wrote. */
export type OriginalFiles = Readonly<Record<string, { readonly text: string; readonly wrote: string }>>

/** Reads the originals. A damaged or missing file counts as empty. */
export async function readOriginals(workspace: Workspace): Promise<OriginalFiles> {
  const bytes = await workspace.files.read(originalsPath(workspace)).catch(() => null)
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '{}') as OriginalFiles
  } catch {
    return {}
  }
}

/** The original text of a file, if it was not edited after kotef wrote it; else null. */
export function originalText(originals: OriginalFiles, path: string, text: string): string | null {
  const found = originals[path]
  return found?.wrote === blobOid(Buffer.from(text)) && typeof found.text === 'string' ? found.text : null
}

/** Saves the files that will be changed, if removing kotef's entries would not restore them. */
export async function keepOriginals(
  workspace: Workspace,
  changes: readonly AgentFileChange[],
  parts: readonly AgentFile[],
): Promise<void> {
  const before = await readOriginals(workspace)
  const kept: Record<string, OriginalFiles[string]> = { ...before }
  for (const { path, before: text, after } of changes) {
    const part = parts.find(it => it.path === path)
    if (text === null || after === null || !part) continue
    const original = originalText(before, path, text) ?? (mentionsKotef(text) ? null : text)
    delete kept[path]
    if (original !== null && part.remove(after) !== original)
      kept[path] = { text: original, wrote: blobOid(Buffer.from(after)) }
  }
  if (JSON.stringify(kept) === JSON.stringify(before)) return
  await workspace.files.replace(originalsPath(workspace), JSON.stringify(kept))
}

/** Removes all originals. */
export async function forgetOriginals(workspace: Workspace): Promise<void> {
  await workspace.files.remove(originalsPath(workspace))
}

function originalsPath(workspace: Workspace): string {
  return ownPath(workspace, 'agent-files.json')
}
