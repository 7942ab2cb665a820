import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { repositoryPaths } from '../../core/git/worktrees.ts'
import { systemClock } from '../../world/io/process/clock.ts'
import { disk } from '../../world/io/files/files.ts'
import { locateWorktree } from '../../world/io/git/read-git-dir.ts'
import type { Git } from '../../world/io/git/git.ts'
import { askGitDirectly, gitFailure } from '../../world/io/git/run-git.ts'
import { readPrivateFile } from '../../world/io/files/private-file.ts'
import { KotefError } from '../../core/base/failure.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { policyInHead } from '../../core/intents/scope/compiled-policy.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { ownPath } from '../../world/io/worktree/layout.ts'
import { gather } from '../../world/io/git/gather.ts'
import { compiledFrom, type PolicyFiles, policyFiles } from '../../world/intents/policy/current-policy.ts'
import { dayOf } from '../../core/intents/enforcement.ts'
import { endsSession } from '../../core/intents/lifecycle.ts'
import type { Session } from '../../core/intents/session.ts'
import { type Policy, type PolicyIntent, policyOn } from '../../core/intents/scope/policy.ts'
import { findEndedSession, findSession } from '../../world/intents/sessions/session-store.ts'
import type { CallPolicy } from '../../core/intents/scope/compiled-policy.ts'

/** A governed worktree, opened without starting git: a workspace without its git runner. */
export type LightWorktree = Omit<Workspace, 'git'> & {
  /** Git, for single questions. */
  readonly git: Pick<Git, 'ask' | 'tryAsk'>
  /** The policy's files in HEAD, in the output form of `git ls-tree`; empty while HEAD is unborn. */
  readonly inHead: string
}

/** The governed worktree of the first folder that is in one; null when none is: kotef then stays silent. */
export async function findGovernedWorktree(folders: readonly string[]): Promise<LightWorktree | null> {
  for (const it of new Set(folders)) {
    const found = await governedWorktreeAt(it)
    if (found) return found
  }
  return null
}

async function governedWorktreeAt(folder: string): Promise<LightWorktree | null> {
  const { where, inHead } = (await lookUpInFiles(folder)) ?? (await lookUpWithGit(folder))
  if (!where) return refuseBroken(folder)
  const hasState = (await disk.modifiedAt(join(where.root, '.orchestration'))) !== null
  // A deleted registry is damage while HEAD still has it.
  if (!hasState && !inHead.includes(`\t${REGISTRY_PATH}`)) return null
  return { ...where, git: directGit(where.root), files: disk, clock: systemClock, inHead }
}

function directGit(root: string): LightWorktree['git'] {
  return {
    tryAsk: query => askGitDirectly(root, query),
    async ask(query) {
      const answer = await askGitDirectly(root, query)
      if (answer === null) throw gitFailure(query.args, 'no answer')
      return answer
    },
  }
}

type WorktreeLookup = {
  readonly where: Pick<LightWorktree, 'root' | 'gitDir' | 'commonDir'> | null
  readonly inHead: string
}

// Starting git takes longer than judging, so the policy's files of a commit are listed once, and kept.
async function lookUpInFiles(folder: string): Promise<WorktreeLookup | null> {
  const { head, ...where } = locateWorktree(folder) ?? { head: null }
  if (head === null || !('root' in where)) return null
  const [known, inHead = ''] = (readPrivateFile(headPolicyCache(where))?.split('\n') ?? []) as (string | undefined)[]
  return known === head ? { where, inHead } : null
}

async function lookUpWithGit(folder: string): Promise<WorktreeLookup> {
  const [where, inHead] = await Promise.all([
    askGitDirectly(folder, repositoryPaths),
    askGitDirectly(folder, policyInHead),
  ])
  const [root, gitDir, commonDir] = where ?? []
  if (!root || !gitDir || !commonDir) return { where: null, inHead: '' }
  const found = { where: { root, gitDir, commonDir }, inHead: inHead ?? '' }
  const head = locateWorktree(folder)?.head ?? null
  if (head !== null && (await disk.modifiedAt(ownPath({ gitDir }))) !== null) {
    // Listed again by the commit's oid: HEAD may have moved since.
    const policyFiles = await askGitDirectly(root, {
      ...policyInHead,
      args: policyInHead.args.map(it => (it === 'HEAD' ? head : it)),
    })
    if (policyFiles !== null) await disk.put(headPolicyCache(found.where), `${head}\n${policyFiles}`).catch(() => {})
  }
  return found
}

function headPolicyCache({ gitDir }: { readonly gitDir: string }): string {
  return ownPath({ gitDir }, 'in-head')
}

// git finds no repository, but the files of a governed one are there: it is damaged, so nothing may be allowed.
async function refuseBroken(folder: string): Promise<null> {
  for (let at = folder; ; at = dirname(at)) {
    const [git, state] = await Promise.all(['.git', '.orchestration'].map(it => lstat(join(at, it)).catch(() => null)))
    if (git && state) throw new KotefError('git-failed', `Git can't read the repository ${at}.`)
    if (git || at === dirname(at)) return null
  }
}

/** Loads the compiled policy while none of its sources has changed; else parses the sources, which is slow. */
export async function loadCallPolicy(worktree: LightWorktree): Promise<CallPolicy> {
  const text = readPrivateFile(ownPath(worktree, 'compiled/state.json'))
  const files = await gather(worktree, policyFiles(worktree))
  const current = compiledFrom(text, files) ?? (await readFromSources(worktree, files))
  return { ...current, policy: policyOn(dayOf(Date.now()), current.policy) }
}

async function readFromSources({ root }: LightWorktree, files: PolicyFiles | null): Promise<CallPolicy> {
  const { readCallPolicy } = await import('./read-call-policy.ts')
  return readCallPolicy(root, files)
}

/** The live session of an agent, and its intent as it is in the registry now. */
type SessionSelection = { readonly session: Session | null; readonly intent: PolicyIntent | null }

/**
 * The intent that a session has selected: a live session keeps its intent, whatever its status. An ended session has
 * none, except an intent whose status ended the session: so the agent learns why. Throws when it can't be read.
 */
export async function sessionSelection(worktree: LightWorktree, id: string, policy: Policy): Promise<SessionSelection> {
  const live = await findSession(worktree, id)
  if (live?.endedAt === null) return { session: live, intent: policyIntent(policy, live.intent) }
  const ended = live ?? (await findEndedSession(worktree, id))
  const intent = ended && policyIntent(policy, ended.intent)
  return { session: null, intent: intent && endsSession(intent.status) ? intent : null }
}

function policyIntent({ intents }: Policy, id: string): PolicyIntent | null {
  return intents.find(it => it.id === id) ?? null
}
