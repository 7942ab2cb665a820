import { nextId } from '../intents/find.ts'
import { unmetDependencies } from '../intents/lifecycle.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import { ignoredAmong } from '../io/check-ignore.ts'
import { committedTexts } from '../workspace/committed.ts'
import { readAddress } from '../workspace/daemon-address.ts'
import { loadRegistry } from '../workspace/policy.ts'
import { liveSessions } from '../workspace/sessions.ts'
import type { Workspace } from '../workspace/workspace.ts'

/**
 * What is left to do in a repository before the first commit to an intent; no lines when nothing is. Files that were
 * just changed for agents are to be committed.
 */
export async function nextSteps(workspace: Workspace, changed: readonly string[] = []): Promise<string[]> {
  const [adopted] = await committedTexts(workspace, [REGISTRY_PATH])
  const steps = [
    ...(adopted ? [] : ['git add -A && git commit -m "adopt kotef" -m "Governance: adopt kotef"']),
    ...(adopted ? await commitSteps(workspace, changed) : []),
    ...(await intentSteps(workspace)),
    ...((await readAddress(workspace)) ? [] : ['npx kotef-watch']),
  ]
  return steps.length === 0 ? [] : ['', 'Next:', ...steps.map(it => `  ${it}`)]
}

// What git ignores is this person's alone, and stays so.
async function commitSteps({ root }: Workspace, changed: readonly string[]): Promise<string[]> {
  const ignored = await ignoredAmong(root, changed)
  const paths = changed.filter(it => !ignored.includes(it))
  if (paths.length === 0) return []
  return [`git add ${paths.join(' ')} && git commit -m "configure agents" -m "Governance: configure agents"`]
}

async function intentSteps(workspace: Workspace): Promise<string[]> {
  if ((await liveSessions(workspace)).length > 0) return []
  const { intents } = await loadRegistry(workspace)
  const open = ['IN_PROGRESS', 'PENDING', 'BLOCKED'].flatMap(status => intents.filter(it => it.status === status))
  const first = open.find(it => unmetDependencies(it, intents).length === 0)
  if (first) return [`kotef intent start ${first.id}`]
  const id = nextId(intents)
  return [`kotef intent add --id ${id} --name 'what is wanted' --scope 'src/**'`, `kotef intent start ${id}`]
}
