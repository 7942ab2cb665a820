import { existsSync } from 'node:fs'
import { cp, lstat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { runProgram } from '../../io/process/run.ts'
import { isWithin } from '../../io/files/real-path.ts'
import { withoutRepositoryEnv } from '../../io/git/git-env.ts'
import { KotefError } from '../../findings/failure.ts'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'

/** Runs husky, of the package that is nearest to `from`, so that git calls the scripts beside that package. */
export async function runHusky({ root }: Workspace, from: string): Promise<void> {
  const home = huskyPackageFolder(root, from)
  if (home === null) throw new KotefError('husky-missing', 'Husky is not installed in this repository.')
  const words = [join(home, 'node_modules/husky/bin.js'), relative(root, join(home, '.husky'))]
  const options = { cwd: root, env: withoutRepositoryEnv(process.env) }
  const { exit, stdout, stderr } = await runProgram(process.execPath, words, options)
  // Husky tells of what it could not do, and ends with 0.
  if (exit !== 0 || stdout !== '') {
    throw new KotefError('husky-missing', `Husky could not be switched on: ${(stderr || stdout).trim()}`)
  }
}

// As node finds a package: in the folder itself, and then in each one above it, but not above the worktree.
function huskyPackageFolder(root: string, from: string): string | null {
  if (existsSync(join(from, 'node_modules/husky/bin.js'))) return from
  return !isWithin(root, from) ? null : huskyPackageFolder(root, dirname(from))
}

/**
 * Keeps what husky generated where every worktree finds it: git does not track it, so a fresh worktree has none of it,
 * and then runs no hook at all and says nothing.
 */
export async function saveHuskyFolder(workspace: Workspace, folder: string): Promise<void> {
  const saved = savedHuskyPath(workspace)
  await cp(join(folder, '_'), join(saved, '_'), { recursive: true })
  await workspace.files.replace(join(saved, 'path'), `${relative(workspace.root, folder)}\n`)
}

/** Puts into this worktree what husky generated elsewhere; true when that was missing. */
export async function restoreHuskyFolder(workspace: Workspace): Promise<boolean> {
  const saved = savedHuskyPath(workspace)
  const path = (await workspace.files.read(join(saved, 'path')))?.toString('utf8').trimEnd()
  if (!path) return false
  const folder = join(workspace.root, path)
  const isFolder = (await lstat(folder).catch(() => null))?.isDirectory()
  if (!isFolder || existsSync(join(folder, '_'))) return false
  await cp(join(saved, '_'), join(folder, '_'), { recursive: true })
  return true
}

/** Where husky's generated folder is kept, and the path that it has in a worktree. */
export function savedHuskyPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'husky')
}
