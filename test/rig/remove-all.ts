import { rmSync } from 'node:fs'

/** Removes a folder into which a daemon may write meanwhile. Node tries only the folder itself again. */
export function removeAll(root: string, tries = 20): void {
  try {
    rmSync(root, { recursive: true, force: true })
  } catch (thrown) {
    if (tries === 0) throw thrown
    removeAll(root, tries - 1)
  }
}
