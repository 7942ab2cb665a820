import type { Workspace } from '../worktree/workspace.ts'
import { plural } from '../text/plural.ts'
import { excludeLedger } from '../setup/exclude-ledger.ts'
import { initialise } from '../setup/init.ts'
import { hasRegistry, prepareObserveOnly } from '../setup/observe-only.ts'

/** Makes sure that a repository can be observed at all; answers what there is to say about it. */
export async function prepareWorktree(workspace: Workspace, { interactive, confirm }: Prompt): Promise<string[]> {
  await excludeLedger(workspace)
  if (await hasRegistry(workspace)) return []
  if (interactive && (await confirm(QUESTION))) {
    const { created } = await initialise(workspace, { hooks: null, cwd: workspace.root })
    return [`kotef governs this repository: created ${plural(created.length, 'file')} and installed the git hooks.`]
  }
  await prepareObserveOnly(workspace)
  return [
    'Created .orchestration with an empty registry: writes are recorded without an intent.',
    'Add git hooks and policy files with `kotef init`',
  ]
}

type Prompt = { readonly interactive: boolean; readonly confirm: (question: string) => Promise<boolean> }

const QUESTION = 'This repository has no .orchestration yet. Initialise it, git hooks included?'
