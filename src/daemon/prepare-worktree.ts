import type { Workspace } from '../worktree/workspace.ts'
import { plural } from '../text/plural.ts'
import { excludeLedger } from '../setup/exclude-ledger.ts'
import { initialise } from '../setup/init.ts'
import { hasRegistry, prepareObserveOnly } from '../setup/observe-only.ts'

/**
 * Makes the files without which a worktree can't be watched. Without a registry, `confirm` asks a person whether to
 * initialise the repository; null when there is nobody to ask. Returns the lines to print.
 */
export async function prepareWorktree(
  workspace: Workspace,
  confirm: ((question: string) => Promise<boolean>) | null,
): Promise<string[]> {
  await excludeLedger(workspace)
  if (await hasRegistry(workspace)) return []
  if (await confirm?.(QUESTION)) {
    const { created } = await initialise(workspace, { hooks: null, cwd: workspace.root })
    return [`kotef governs this repository: created ${plural(created.length, 'file')} and installed the git hooks.`]
  }
  await prepareObserveOnly(workspace)
  return [
    'Created .orchestration with an empty registry: writes are recorded without an intent.',
    'Add git hooks and policy files with `kotef init`',
  ]
}

const QUESTION = 'This repository has no .orchestration yet. Initialise it, git hooks included?'
