import { join } from 'node:path'
import { changedLines, type PathChange } from '../git/changes.ts'
import { type Gatherer, readEnd, tryAskGit } from '../git/gatherer.ts'
import { amendsHead } from './intent-sources.ts'
import { LEDGER_END_BYTES, writtenByAgents } from '../ledger/written-intents.ts'
import { LEDGER_PATH } from '../paths/governance-files.ts'
import { intentsOwning, type StagedFacts, standingIntents } from '../rules/commit-facts.ts'
import { judgePath } from '../scope/judge-path.ts'
import { gather } from '../io/git/gather.ts'
import type { Commit } from '../trailers/commits.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { Policy } from '../scope/policy.ts'

type ChorePlace = {
  readonly root: string
  readonly commit: string | null
  /** What shows that the staged paths amend HEAD: then they count together with what HEAD changes. */
  readonly amending?: Pick<Parameters<typeof amendsHead>[0], 'author' | 'now'>
}

/**
 * What is known of the staged paths that a standing intent owns, or of those that a commit changes; nothing when there
 * is none. `root` is the top of the worktree, empty in a hook.
 */
export function* gatherChoreFacts(
  { root, commit, amending }: ChorePlace,
  { changes, policy }: { readonly changes: readonly PathChange[]; readonly policy: Policy },
): Gatherer<Pick<StagedFacts, 'chores'>> {
  const own = choresAmong(changes, policy)
  const paths = own.map(it => it.path)
  if (paths.length === 0) return {}
  const since = amending && (yield* amendsHead({ ...amending, changes })) ? 'HEAD^' : 'HEAD'
  const lines = yield* tryAskGit(changedLines(paths, { by: commit, since }))
  if (!lines) return {}
  const ledger = yield* readEnd(join(root, LEDGER_PATH), LEDGER_END_BYTES)
  return { chores: { lines, byAgents: writtenByAgents(ledger?.toString('utf8') ?? '', own) } }
}

/** The same for commits that are made. Only one that cites a standing intent has a limit. */
export function choreLookup(workspace: Workspace) {
  return async ({ oid, cited }: Commit, changes: readonly PathChange[], policies: readonly (Policy | null)[]) => {
    const policy = policies.find(it => it && standingIntents(it).some(({ id }) => cited.includes(id)))
    if (!policy) return {}
    return gather(workspace, gatherChoreFacts({ root: workspace.root, commit: oid }, { changes, policy }))
  }
}

function choresAmong(changes: readonly PathChange[], policy: Policy): PathChange[] {
  const standing = standingIntents(policy)
  if (standing.length === 0) return []
  const judge = judgePath(policy)
  return changes.filter(it => intentsOwning(it.path, standing, judge).length > 0)
}
