import { join } from 'node:path'
import { VERSION } from '../../io/files/package.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { isVersionAtLeast } from '../git-version.ts'

/** The installed scripts of the hooks, compared with those of this package. */
export type InstalledHooks = {
  /** `absent` before `kotef init`. Older scripts are updated, and newer ones are not changed. */
  readonly found: 'absent' | 'equal' | 'older' | 'newer'
  /** The version of the scripts; null when it is not recorded. */
  readonly version: string | null
}

/** Compares the recorded version of the scripts in this clone with this package's. */
export async function readInstalledHooks(workspace: Workspace): Promise<InstalledHooks> {
  const { shared } = layoutOf(workspace)
  const bytes = await workspace.files.read(join(shared, 'version')).catch(() => null)
  const version = bytes?.toString('utf8').trim() || null
  // The first versions of kotef recorded no version.
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
