import { nextIntentId } from '../intents/find-intent.ts'
import { unmetDependencies } from '../intents/lifecycle.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { findIgnored } from '../io/git/check-ignore.ts'
import { textsAtHead } from '../worktree/files-at-head.ts'
import { readDaemonAddress } from '../daemon-client/daemon-address.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * The commands to run before the first commit to an intent; empty when nothing is left to do. They include a commit of
 * the files that were just changed for agents.
 */
export async function nextSteps(workspace: Workspace, changed: readonly string[] = []): Promise<string[]> {
  const [adopted] = await textsAtHead(workspace, [REGISTRY_PATH])
  const steps = [
    ...(adopted ? [] : ['git add -A && git commit -m "adopt kotef" -m "Governance: adopt kotef"']),
    ...(adopted ? await commitSteps(workspace, changed) : []),
    ...(await intentSteps(workspace)),
    ...((await readDaemonAddress(workspace)) ? [] : ['npx kotef-watch']),
  ]
  return steps.length === 0 ? [] : ['', 'Next:', ...steps.map(it => `  ${it}`)]
}

// An ignored file is this person's own, so it is not committed.
async function commitSteps({ root }: Workspace, changed: readonly string[]): Promise<string[]> {
  const ignored = await findIgnored(root, changed)
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
  const id = nextIntentId(intents)
  return [`kotef intent add --id ${id} --name 'what is wanted' --scope 'src/**'`, `kotef intent start ${id}`]
}
