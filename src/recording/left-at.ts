import { dirname, join } from 'node:path'
import type { Workspace } from '../workspace/workspace.ts'

/** When a file left at the latest, in milliseconds since 1970: the folder that it went from was changed last then. */
export async function leftAt({ root, files }: Workspace, path: string): Promise<number | null> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const modified = await files.modifiedAt(join(root, folder))
    if (modified !== null || folder === '.') return modified
  }
}
