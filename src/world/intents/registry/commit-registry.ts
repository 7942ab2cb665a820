import { KotefError } from '../../../core/base/failure.ts'
import { gitStatusOf } from '../../../core/git/status.ts'
import { changedIntents } from '../../../core/intents/lifecycle.ts'
import { readRegistry } from '../../../core/intents/registry.ts'
import { commitPaths } from '../../io/git/commit-paths.ts'
import { INTENTS_FOLDER, REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { ADOPT_COMMAND, commitRegistryCommand } from '../../../core/rules/hints.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import { policyTextsAtHead, textsAtHead } from '../../io/worktree/head.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The subject of a governance commit, and why it is made; without a reason the subject is the reason as well. */
export type GovernanceWords = { readonly subject: string; readonly reason: string | null }

/** Commits the registry alone, with `Governance:`, through git's hooks; false when it has not changed. */
export async function commitRegistry(
  workspace: Workspace,
  { subject, reason }: GovernanceWords,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  if (!(await isAdopted(workspace))) throw notAdopted()
  const entries = await workspace.git.ask(gitStatusOf([REGISTRY_PATH, INTENTS_FOLDER]))
  if (entries.length === 0) return false
  const message = [subject, `Governance: ${reason ?? subject}`]
  const failure = await commitPaths(workspace.root, { entries, message }, env)
  if (failure === null) return true
  throw new KotefError('git-failed', `The registry was changed, and git did not commit it:\n${failure}`, {
    hint: `Commit it with ${await commitCommand(workspace, subject)}`,
  })
}

/** The intents that a registry's text has otherwise than HEAD: a commit of the registry takes them along. */
export async function uncommittedIntents(workspace: Workspace, text: string): Promise<string[]> {
  const [committed] = await policyTextsAtHead(workspace)
  return committed ? changedIntents(readRegistry(committed).intents, readRegistry(text).intents) : []
}

/** The lines that say how to commit a changed registry; none before the adoption commit, which adds the registry. */
export async function commitAdvice(workspace: Workspace, what: string): Promise<string[]> {
  return (await isAdopted(workspace)) ? [`  Commit the registry with ${await commitCommand(workspace, what)}.`] : []
}

/** The same lines, if HEAD's registry does not have the intent yet: CI would not know it. */
export async function adviceForUncommitted(workspace: Workspace, intent: string): Promise<string[]> {
  const [committed] = await policyTextsAtHead(workspace)
  if (!committed || readRegistry(committed).intents.some(it => it.id === intent)) return []
  return commitAdvice(workspace, `add ${intent}`)
}

async function commitCommand({ files, ...workspace }: Workspace, what: string): Promise<string> {
  const isTeam = (await files.modifiedAt(layoutOf(workspace).intents)) !== null
  return `\`${commitRegistryCommand(what, { isTeam })}\``
}

async function isAdopted(workspace: Workspace): Promise<boolean> {
  return Boolean((await textsAtHead(workspace, [REGISTRY_PATH]))[0])
}

function notAdopted(): KotefError {
  return new KotefError('usage', 'The registry was changed. It is not committed alone before the adoption commit.', {
    hint: `Commit all of it: \`${ADOPT_COMMAND}\``,
  })
}
