import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KotefError } from '../report/failure.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { hasConfiguredHooks } from './configured-hooks.ts'
import { gitVersion, isAtLeast, RUNS_CONFIGURED_HOOKS } from './git-version.ts'
import { nextFolder } from './handing-on.ts'
import { type FoundHooks, findHooks, isForOneWorktree, ownFolder } from './found-hooks.ts'
import { switchHuskyOn } from './husky.ts'
import type { Manager } from './managers.ts'

/** Where git finds this worktree's hooks, who is in charge there, and how kotef is called. */
export type HooksFolder = {
  readonly manager: Manager
  /** By lines in the folder's files, by git's own config beside them, or from a folder of ours that hands on. */
  readonly way: 'files' | 'config' | 'handing-on'
  readonly folder: string
  /** The folder that ours hands on to; null when there is nothing to hand on. */
  readonly next: string | null
}

/** The hooks that are in force, and how kotef is called from them, or would be. */
export async function hooksFolder(workspace: Workspace): Promise<HooksFolder> {
  const found = await findHooks(workspace)
  if ((await hasConfiguredHooks(workspace)) && (await runsConfigured(workspace))) return through('config', found)
  if (found.place === 'clone') return through('files', found)
  if (found.place === 'ours') return handingOn(workspace, found)
  throw new KotefError('hooks-elsewhere', `core.hooksPath is ${found.folder}, which is not of this repository.`)
}

/** What a user asked for with `--hooks`, and the folder that it was asked in. */
export type Wish = { readonly hooks: string | null; readonly cwd: string }

/** How kotef is to be called from now on; husky is switched on when it is wanted, or in charge. */
export async function wantedHooksFolder(workspace: Workspace, { hooks, cwd }: Wish): Promise<HooksFolder> {
  if (hooks === 'husky') return through('files', await switchedToHusky(workspace, cwd))
  const found = await findHooks(workspace)
  if (hooks === 'config') return configured(workspace, found)
  if (hooks === 'git') return asFiles(workspace, found)
  const isConfigured = await hasConfiguredHooks(workspace)
  // A clone has core.hooksPath of husky's making before it has husky's folder, or after that was cleaned away.
  const settled = found.manager === 'husky' ? await switchedToHusky(workspace, cwd) : found
  const isBetterInConfig = isConfigured || isWrittenAnew(settled) || settled.place === 'elsewhere'
  if (isBetterInConfig && (await runsConfigured(workspace))) return through('config', settled)
  return asFiles(workspace, settled, { husky: true })
}

/** True where a tool writes the hook files anew, and drops what else is in them. */
function isWrittenAnew({ manager }: Pick<HooksFolder, 'manager'>): boolean {
  return manager !== 'git' && manager !== 'husky'
}

async function runsConfigured(workspace: Workspace): Promise<boolean> {
  return isAtLeast(await gitVersion(workspace), RUNS_CONFIGURED_HOOKS)
}

function through(way: 'files' | 'config', { manager, folder }: FoundHooks): HooksFolder {
  return { manager, way, folder, next: null }
}

async function configured(workspace: Workspace, found: FoundHooks): Promise<HooksFolder> {
  if (await runsConfigured(workspace)) return through('config', found)
  throw new KotefError('usage', `git ${await gitVersion(workspace)} does not run hooks that its config names.`, {
    hint: 'Leave out `--hooks config`, or install git 2.54 or newer.',
  })
}

async function asFiles(workspace: Workspace, found: FoundHooks, { husky = false } = {}): Promise<HooksFolder> {
  if (found.manager === 'husky' && !husky) {
    throw new KotefError('usage', 'Husky is in charge of the hooks here.', {
      hint: 'Leave out `--hooks git`, or run `git config --unset core.hooksPath` first.',
    })
  }
  return found.place === 'clone' ? through('files', found) : handingOn(workspace, found)
}

async function handingOn(workspace: Workspace, { place, folder }: FoundHooks): Promise<HooksFolder> {
  if (place === 'elsewhere' && (await isForOneWorktree(workspace))) {
    throw new KotefError(
      'hooks-elsewhere',
      `core.hooksPath of this worktree is ${folder}, outside of the repository.`,
      {
        hint: 'Run `git config --worktree --unset core.hooksPath` first, or install git 2.54 or newer.',
      },
    )
  }
  const next = place === 'elsewhere' ? folder : await nextFolder(workspace)
  return { manager: 'git', way: 'handing-on', folder: ownFolder(workspace), next }
}

async function switchedToHusky(workspace: Workspace, cwd: string): Promise<FoundHooks> {
  const before = await findHooks(workspace)
  const isHusky = before.manager === 'husky'
  if (isHusky && existsSync(join(before.folder, '_'))) return before
  await switchHuskyOn(workspace, isHusky ? dirname(before.folder) : cwd)
  return findHooks(workspace)
}
