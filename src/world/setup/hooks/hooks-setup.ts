import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cp, lstat } from 'node:fs/promises'
import { KotefError } from '../../../core/base/failure.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { hasConfiguredHooks } from './configured-hooks.ts'
import { CONFIGURED_HOOKS_GIT_VERSION, gitVersion, isVersionAtLeast } from '../git-version.ts'
import { proxiedFolder } from './hooks-proxy.ts'
import { type DetectedHooks, detectHooks, hasWorktreeHooksPath, type HookManager, proxyFolder } from './detect-hooks.ts'
import { runProgram } from '../../io/process/run.ts'
import { isWithin } from '../../io/files/real-path.ts'
import { withoutRepositoryEnv } from '../../io/git/run-git.ts'
import { layoutOf } from '../../io/worktree/layout.ts'

/** The hooks folder of this worktree, its manager, and how kotef is called. */
export type HooksSetup = {
  readonly manager: HookManager
  /** By lines in the folder's files, by git's config, or from a folder of kotef's that forwards to another one. */
  readonly way: 'files' | 'config' | 'handing-on'
  readonly folder: string
  /** The folder that kotef's folder forwards to; null without one. */
  readonly next: string | null
}

/** The hooks that git uses, and how kotef is or would be called from them. */
export async function currentHooksSetup(workspace: Workspace): Promise<HooksSetup> {
  const found = await detectHooks(workspace)
  if ((await hasConfiguredHooks(workspace)) && (await gitRunsConfiguredHooks(workspace)))
    return directSetup('config', found)
  if (found.location === 'clone') return directSetup('files', found)
  if (found.location === 'ours') return proxySetup(workspace, found)
  throw new KotefError('hooks-elsewhere', `core.hooksPath is ${found.folder}, which is outside of this repository.`)
}

/** The value of `--hooks`, and the current folder. */
export type HooksRequest = { readonly hooks: string | null; readonly cwd: string }

/** How kotef will be called. Husky is enabled if the user asked for it, or if it manages the hooks. */
export async function chooseHooksSetup(workspace: Workspace, { hooks, cwd }: HooksRequest): Promise<HooksSetup> {
  if (hooks === 'husky') return directSetup('files', await enableHusky(workspace, cwd))
  const found = await detectHooks(workspace)
  if (hooks === 'config') return configSetup(workspace, found)
  if (hooks === 'git') return filesSetup(workspace, found)
  const isConfigured = await hasConfiguredHooks(workspace)
  // core.hooksPath can name husky's folder before husky generated it, or after `git clean` removed it.
  const ready = found.manager === 'husky' ? await enableHusky(workspace, cwd) : found
  const isBetterInConfig = isConfigured || rewritesHookFiles(ready) || ready.location === 'elsewhere'
  if (isBetterInConfig && (await gitRunsConfiguredHooks(workspace))) return directSetup('config', ready)
  return filesSetup(workspace, ready, { husky: true })
}

/** True for a tool that rewrites the hook files and drops other lines. */
function rewritesHookFiles({ manager }: Pick<HooksSetup, 'manager'>): boolean {
  return manager !== 'git' && manager !== 'husky'
}

async function gitRunsConfiguredHooks(workspace: Workspace): Promise<boolean> {
  return isVersionAtLeast(await gitVersion(workspace), CONFIGURED_HOOKS_GIT_VERSION)
}

function directSetup(way: 'files' | 'config', { manager, folder }: DetectedHooks): HooksSetup {
  return { manager, way, folder, next: null }
}

async function configSetup(workspace: Workspace, found: DetectedHooks): Promise<HooksSetup> {
  if (await gitRunsConfiguredHooks(workspace)) return directSetup('config', found)
  throw new KotefError('usage', `git ${await gitVersion(workspace)} does not run hooks named in its config.`, {
    hint: 'Leave out `--hooks config`, or install git 2.54 or newer.',
  })
}

async function filesSetup(workspace: Workspace, found: DetectedHooks, { husky = false } = {}): Promise<HooksSetup> {
  if (found.manager === 'husky' && !husky) {
    throw new KotefError('usage', 'Husky manages the hooks here.', {
      hint: 'Leave out `--hooks git`, or run `git config --unset core.hooksPath` first.',
    })
  }
  return found.location === 'clone' ? directSetup('files', found) : proxySetup(workspace, found)
}

async function proxySetup(workspace: Workspace, { location, folder }: DetectedHooks): Promise<HooksSetup> {
  if (location === 'elsewhere' && (await hasWorktreeHooksPath(workspace))) {
    throw new KotefError(
      'hooks-elsewhere',
      `core.hooksPath of this worktree is ${folder}, which is outside of this repository.`,
      {
        hint: 'Run `git config --worktree --unset core.hooksPath` first, or install git 2.54 or newer.',
      },
    )
  }
  const next = location === 'elsewhere' ? folder : await proxiedFolder(workspace)
  return { manager: 'git', way: 'handing-on', folder: proxyFolder(workspace), next }
}

async function enableHusky(workspace: Workspace, cwd: string): Promise<DetectedHooks> {
  const before = await detectHooks(workspace)
  const isHusky = before.manager === 'husky'
  if (isHusky && existsSync(join(before.folder, '_'))) return before
  await runHusky(workspace, isHusky ? dirname(before.folder) : cwd)
  return detectHooks(workspace)
}

/** Runs husky from the package nearest to `from`, so that git calls the scripts beside that package. */
async function runHusky({ root }: Workspace, from: string): Promise<void> {
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
