import { INTENTS_FOLDER, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { gitStatusOf } from '../../core/git/status.ts'
import { ADOPTION } from '../../core/rules/hints.ts'
import { commitPaths } from '../io/git/commit-paths.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { GIT_HOOKS } from './hooks/hook-block.ts'
import type { InitResult } from './init.ts'
import { SCAFFOLD_PATHS } from './scaffold.ts'

/** What became of the adoption commit: the number of its files, or what git said. */
export type AdoptionCommit = { readonly files: number; readonly failure: string | null }

/** Commits the files that kotef wrote, and those that it changed for agents and for Husky, and nothing else. */
export async function commitAdoption(
  workspace: Workspace,
  { agents, hooks }: Pick<InitResult, 'agents' | 'hooks'>,
  env: NodeJS.ProcessEnv,
): Promise<AdoptionCommit> {
  const ofHusky = hooks.manager === 'husky' ? GIT_HOOKS.map(it => `.husky/${it}`) : []
  const paths = [...SCAFFOLD_PATHS, REGISTRY_PATH, INTENTS_FOLDER, ...ofHusky, ...agents.changed]
  const entries = await workspace.git.ask(gitStatusOf([...new Set(paths)]))
  const message = [ADOPTION, `Governance: ${ADOPTION}`]
  return { files: entries.length, failure: await commitPaths(workspace.root, { entries, message }, env) }
}
