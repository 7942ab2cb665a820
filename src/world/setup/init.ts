import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ADOPT_COMMAND } from '../../core/rules/hints.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { appendRecords } from '../ledger/append-records.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { AgentSetup } from './agents/agent-setups.ts'
import { type AgentFilesPlan, governAgentFiles, planAgentFiles } from './agents/plan-agent-files.ts'
import { configureAgents, unconfigureAgents } from './agents/configure-agents.ts'
import { excludeLedger } from './git-info-files.ts'
import { chooseHooksSetup, type HooksRequest, type HooksSetup } from './hooks/hooks-setup.ts'
import { installHooks, listRuntimeFolders, requireWritableHooks, uninstallHooks } from './install-hooks.ts'
import { readInstalledHooks } from './hooks/installed-hooks.ts'
import {
  type EnforcementWish,
  isUnchangedScaffold,
  SCAFFOLD_PATHS,
  setEnforcement,
  writeScaffold,
  writeTeamFolder,
} from './scaffold.ts'
import { removeClaims } from '../intents/sessions/claims.ts'
import { privatePath } from '../io/worktree/private-files.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import { takenIds } from '../intents/registry/taken-ids.ts'
import { nextIntentId } from '../../core/intents/intent.ts'
import { unmetDependencies } from '../../core/intents/lifecycle.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { pathsOfWorktree } from '../../core/git/index-entries.ts'
import { findIgnored } from '../io/git/run-git.ts'
import { textsAtHead } from '../io/worktree/head.ts'
import { readDaemonAddress } from '../io/daemon-client/ask-daemon.ts'
import { loadRegistry } from '../intents/policy/load-policy.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'

export type InitResult = {
  readonly root: string
  /** The files that were written. Existing files are not changed. */
  readonly created: readonly string[]
  readonly hooks: HooksSetup
  /** The version of a newer kotef whose installed hooks were not changed; else null. */
  readonly newer: string | null
  readonly agents: AgentFilesResult
}

/** The files that were changed for agents, and the texts that a person has to paste into others. */
export type AgentFilesResult = { readonly changed: readonly string[]; readonly pastes: AgentFilesPlan['pastes'] }

/**
 * Governs a repository: writes the missing files, installs the git hooks, compiles the policy and configures agents. It
 * can be run again at any time.
 */
export async function initialise(
  workspace: Workspace,
  wish: HooksRequest & { readonly mode?: EnforcementWish | null; readonly team?: boolean },
  agents: readonly AgentSetup[] = [],
): Promise<InitResult> {
  // All obstacles to writing are checked before the first file is written.
  const plan = await planAgentFiles(workspace, agents)
  const hooks = await chooseHooksSetup(workspace, wish)
  await requireWritableHooks(workspace, hooks)
  await excludeLedger(workspace)
  const created = [...(await writeScaffold(workspace)), ...(wish.team ? await writeTeamFolder(workspace) : [])]
  if (wish.mode) await setEnforcement(workspace, wish.mode)
  await installHooks(workspace, hooks)
  const configured = await configureAgents(workspace, agents, plan)
  const governed = await governAgentFiles(workspace, configured)
  await compilePolicy(workspace)
  if (created.length > 0) await appendRecords(workspace, [{ event: { event: 'initialised' } }])
  const { found, version } = await readInstalledHooks(workspace)
  const newer = found === 'newer' ? version : null
  const changed = [...configured, ...governed]
  return { root: workspace.root, created, hooks, newer, agents: { changed, pastes: plan.pastes } }
}

/**
 * The places that kotef was removed from, its own files that stay because they were edited, and the agents' files that
 * kotef can't edit.
 */
export type UninitResult = {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  readonly left: readonly string[]
}

/**
 * Removes kotef's hooks, the compiled policy and what only the person may read from a clone. The governance files stay
 * unless they are purged.
 */
export async function uninitialise(
  workspace: Workspace,
  { purged }: { readonly purged: boolean },
): Promise<UninitResult> {
  const agents = await unconfigureAgents(workspace)
  const removed = [...(await uninstallHooks(workspace)), ...agents.removed]
  // Nothing of kotef's is left that would remove it later.
  const gitDirs = [workspace.commonDir, ...(await listRuntimeFolders(workspace)).map(dirname)]
  for (const gitDir of gitDirs) await rm(privatePath({ gitDir }), { recursive: true, force: true })
  if (!purged) return { removed, kept: [], left: agents.left }
  const files = await purgeFiles(workspace)
  return { removed: [...removed, ...files.removed], kept: files.kept, left: agents.left }
}

/** Removes kotef's data in this clone, and those of its files that were not edited since they were made. */
async function purgeFiles(workspace: Workspace): Promise<{ removed: string[]; kept: string[] }> {
  const removed: string[] = []
  const kept: string[] = []
  for (const path of SCAFFOLD_PATHS) {
    const bytes = await workspace.files.read(join(workspace.root, path)).catch(() => null)
    if (bytes === null) continue
    if (!isUnchangedScaffold(path, bytes.toString('utf8'))) kept.push(path)
    else removed.push(await removeScaffoldFile(workspace, path))
  }
  await removeRuntimeFiles(workspace)
  const folders = SCAFFOLD_PATHS.map(it => dirname(it)).filter(it => it !== '.')
  for (const folder of new Set(folders)) await rmdir(join(workspace.root, folder)).catch(() => {})
  return { removed, kept }
}

async function removeScaffoldFile({ root, files }: Workspace, path: string): Promise<string> {
  await files.remove(join(root, path))
  return path
}

// The untracked files: the ledger, the caches, and the folder of each worktree in its git directory.
async function removeRuntimeFiles(workspace: Workspace): Promise<void> {
  // A damaged file is of no use without kotef.
  await removeClaims(workspace).catch(() => {})
  const { root, files } = workspace
  const runtime = (await files.list(join(root, '.orchestration'))).filter(it => /^\.flush-|\.tmp$/.test(it))
  const ledger = layoutOf(workspace).ledger
  const inTree = [ledger, join(root, '.sdd/cache'), ...runtime.map(it => join(root, '.orchestration', it))]
  for (const path of [...inTree, ...(await listRuntimeFolders(workspace))])
    await rm(path, { recursive: true, force: true })
}

/**
 * The commands to run before the first commit to an intent; empty when nothing is left to do. They include a commit of
 * the files that were just changed for agents.
 */
export async function nextSteps(workspace: Workspace, changed: readonly string[] = []): Promise<string[]> {
  const [adopted] = await textsAtHead(workspace, [REGISTRY_PATH])
  const [add, start] = await intentSteps(workspace)
  // The first intent is committed with the registry: a later one needs a commit of its own.
  const steps = [
    ...(adopted ? await commitSteps(workspace, changed) : []),
    ...add,
    ...(adopted ? [] : [ADOPT_COMMAND]),
    ...start,
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

/** The steps that add an intent, and those that start it. */
async function intentSteps(workspace: Workspace): Promise<[add: string[], start: string[]]> {
  if ((await liveSessions(workspace)).length > 0) return [[], []]
  const { intents } = await loadRegistry(workspace)
  const work = intents.filter(it => !it.standing)
  const open = ['PENDING', 'BLOCKED'].flatMap(status => work.filter(it => it.status === status))
  const first = open.find(it => unmetDependencies(it, intents).length === 0)
  if (first) return [[], [`kotef intent start ${first.id}`]]
  const id = nextIntentId(intents, await takenIds(workspace))
  const add = `kotef intent add --id ${id} --name 'what is wanted' --scope '${await likelyScope(workspace)}'`
  return [[add], [`kotef intent start ${id}`]]
}

// The folder with the most files, unless there is a `src`. A repository without any gets the example of the documents.
/** The glob that the first intent of a repository probably owns. */
export async function likelyScope({ git }: Pick<Workspace, 'git'>): Promise<string> {
  const counts = new Map<string, number>()
  for (const path of await git.ask(pathsOfWorktree)) {
    const [folder = '', inside] = path.split('/', 2)
    if (inside !== undefined && /^\w[\w.-]*$/.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const [largest] = [...counts].sort(([, one], [, other]) => other - one)
  return counts.has('src') || !largest ? 'src/**' : `${largest[0]}/**`
}
