import { confirm, isCancel } from '@clack/prompts'
import type { Workspace } from '../workspace/workspace.ts'
import { isGoverned, prepareToObserve } from '../workspace/observing.ts'

/** Makes sure that a repository can be observed at all; answers what there is to say about it. */
export async function prepareTree(workspace: Workspace, { interactive }: { interactive: boolean }): Promise<string[]> {
  if (await isGoverned(workspace)) return []
  if (interactive) {
    const wanted = await confirm({
      message: 'This repository has no .orchestration yet. Create what kotef needs to observe?',
    })
    if (isCancel(wanted) || !wanted) return ['Nothing was created; kotef watches all the same.']
  }
  await prepareToObserve(workspace)
  return [
    'Created .orchestration with an empty registry: writes are recorded, with no intent.',
    '`kotef init` adds the git hooks, the policy files and the first steps.',
  ]
}
