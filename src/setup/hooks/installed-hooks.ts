import { join } from 'node:path'
import { VERSION } from '../../io/files/package.ts'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { isVersionAtLeast } from '../git-version.ts'

/** What the hooks of this clone run, beside what this package would bring. */
export type InstalledHooks = {
  /** Absent where `kotef init` never ran; an older one is brought up to date, a newer one is left as it is. */
  readonly found: 'absent' | 'equal' | 'older' | 'newer'
  /** The version of what was found, or null when it does not say. */
  readonly version: string | null
}

/** Looks at what is installed in this clone, by the version that it says. */
export async function readInstalledHooks(workspace: Workspace): Promise<InstalledHooks> {
  const { shared } = layoutOf(workspace)
  const bytes = await workspace.files.read(join(shared, 'version')).catch(() => null)
  const version = bytes?.toString('utf8').trim() || null
  // The first versions did not say which they were.
  const isThere = version !== null || (await workspace.files.modifiedAt(join(shared, 'hook.cjs'))) !== null
  return { found: isThere ? compareWithPackage(version) : 'absent', version }
}

function compareWithPackage(version: string | null): InstalledHooks['found'] {
  if (version === VERSION) return 'equal'
  return version !== null && isVersionAtLeast(version, versionNumbers(VERSION)) ? 'newer' : 'older'
}

function versionNumbers(version: string): number[] {
  return version.split(/[.-]/).slice(0, 3).map(Number)
}
