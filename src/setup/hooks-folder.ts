import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { finished } from '../io/finished.ts'
import { KotefError } from '../report/failure.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Where git finds this worktree's hooks, and who is in charge there. */
export type HooksFolder = { readonly manager: 'git' | 'husky'; readonly folder: string }

/** The hooks folder that is in force; husky keeps the scripts beside its own folder. */
export async function hooksFolder(workspace: Workspace): Promise<HooksFolder> {
  const inForce = await workspace.git.ask(hooksPath)
  if (basename(inForce) === '_' && basename(dirname(inForce)) === '.husky') {
    return { manager: 'husky', folder: dirname(inForce) }
  }
  if (isInside(workspace.root, inForce) || isInside(workspace.commonDir, inForce)) {
    return { manager: 'git', folder: inForce }
  }
  throw new KotefError('hooks-elsewhere', `core.hooksPath is ${inForce}, which other repositories may use as well.`)
}

/** The hooks folder under the manager that was asked for; husky is switched on when it is installed. */
export async function wantedHooksFolder(workspace: Workspace, wanted: string | null): Promise<HooksFolder> {
  const found = wanted === 'husky' ? null : await hooksFolder(workspace)
  // A clone has core.hooksPath of husky's making before it has husky's folder, or after that was cleaned away.
  if (wanted === null && found?.manager === 'husky') return switchedToHusky(workspace)
  if (found && (wanted === null || found.manager === wanted)) return found
  if (found) {
    throw new KotefError('usage', 'Husky is in charge of the hooks here.', {
      hint: 'Leave out `--hooks git`, or run `git config --unset core.hooksPath` first.',
    })
  }
  return switchedToHusky(workspace)
}

async function switchedToHusky(workspace: Workspace): Promise<HooksFolder> {
  const inForce = await workspace.git.ask(hooksPath)
  if (basename(inForce) === '_' && existsSync(inForce)) return hooksFolder(workspace)
  const husky = join(workspace.root, 'node_modules/husky/bin.js')
  if (!existsSync(husky)) throw new KotefError('husky-missing', 'Husky is not installed in this repository.')
  const { exit, stderr } = await finished(process.execPath, [husky], { cwd: workspace.root, env: process.env })
  if (exit !== 0) throw new KotefError('husky-missing', `Husky could not be switched on: ${stderr.trim()}`)
  return hooksFolder(workspace)
}

const hooksPath: GitQuery<string> = {
  args: ['rev-parse', '--path-format=absolute', '--git-path', 'hooks'],
  parse: out => out.replace(/\n$/, ''),
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith('../')
}
