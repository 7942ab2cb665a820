import type { Workspace } from '../workspace/workspace.ts'
import { excludeLedger } from '../setup/exclude.ts'
import { initialise } from '../setup/init.ts'
import { isGoverned, prepareToObserve } from '../setup/observing.ts'

/** Makes sure that a repository can be observed at all; answers what there is to say about it. */
export async function prepareTree(workspace: Workspace, { interactive, confirm }: Asking): Promise<string[]> {
  await excludeLedger(workspace)
  if (await isGoverned(workspace)) return []
  if (interactive && (await confirm(QUESTION))) {
    const { created } = await initialise(workspace, { hooks: null, cwd: workspace.root })
    return [`kotef governs this repository: ${created.length} files and the git hooks are in place.`]
  }
  await prepareToObserve(workspace)
  return [
    'Created .orchestration with an empty registry: writes are recorded, with no intent.',
    '`kotef init` adds the git hooks, the policy files and the first steps.',
  ]
}

type Asking = { readonly interactive: boolean; readonly confirm: (question: string) => Promise<boolean> }

const QUESTION = 'This repository has no .orchestration yet. Initialise it, git hooks included?'
