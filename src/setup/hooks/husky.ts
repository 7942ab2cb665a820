import { existsSync } from 'node:fs'
import { cp, lstat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { runProgram } from '../../io/process/run.ts'
import { isWithin } from '../../io/files/real-path.ts'
import { withoutRepositoryEnv } from '../../io/git/run-git.ts'
import { KotefError } from '../../findings/failure.ts'
import { layoutOf } from '../../worktree/layout.ts'
import type { Workspace } from '../../worktree/workspace.ts'

/** Runs husky from the package nearest to `from`, so that git calls the scripts beside that package. */
export async function runHusky({ root }: Workspace, from: string): Promise<void> {
  const home = huskyPackageFolder(root, from)
  if (home === null) throw new KotefError('husky-missing', 'Husky is not installed in this repository.')
  const words = [join(home, 'node_modules/husky/bin.js'), relative(root, join(home, '.husky'))]
  const options = { cwd: root, env: withoutRepositoryEnv(process.env) }
  const { exit, stdout, stderr } = await runProgram(process.execPath, words, options)
  // Husky prints its problems, but exits with 0.
  if (exit !== 0 || stdout !== '') {
    throw new KotefError('husky-missing', `Husky could not be enabled: ${(stderr || stdout).trim()}`)
  }
}

// As node finds a package: in the folder and then in each parent, but not above the worktree.
function huskyPackageFolder(root: string, from: string): string | null {
  if (existsSync(join(from, 'node_modules/husky/bin.js'))) return from
  return !isWithin(root, from) ? null : huskyPackageFolder(root, dirname(from))
}

/**
 * Keeps a copy of husky's generated files in the folder shared by all worktrees. Git does not track them, so a new
 * worktree has none, and there git would run no hook without a message.
 */
export async function saveHuskyFolder(workspace: Workspace, folder: string): Promise<void> {
  const saved = savedHuskyPath(workspace)
  await cp(join(folder, '_'), join(saved, '_'), { recursive: true })
  await workspace.files.replace(join(saved, 'path'), `${relative(workspace.root, folder)}\n`)
}

/** Copies husky's generated files into this worktree; true when they were missing. */
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

/** The copy of husky's generated files, and their folder in this worktree. */
export function savedHuskyPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'husky')
}
