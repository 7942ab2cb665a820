import { openBlobs } from '../../io/git/blobs.ts'
import type { ChangeClass } from '../../../core/ledger/mutation-class.ts'
import type { CommitClasses } from '../../../core/ledger/noted-classes.ts'
import { CLASSIFY_RUN_MS_MAX } from '../../../core/base/thresholds.ts'
import { commitsIn } from '../../../core/git/trailers/commits.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { changeClasses } from './change-classes.ts'
import type { Parser } from './parser.ts'

/** How much a run classifies: what is beyond has no class. */
export type ClassifyBudget = { readonly files: number; readonly ms: number }

/** The budget of a run of the daemon's child. */
export const RUN_BUDGET: ClassifyBudget = { files: 200, ms: CLASSIFY_RUN_MS_MAX }

/**
 * The classes of the changes of commits, given oldest first: of the newest ones, as far as the budget goes. A merge has
 * none: its changes are those of its commits.
 */
export async function classifyCommits(
  { git, root, clock }: Workspace,
  commits: readonly string[],
  { parser, budget = RUN_BUDGET }: { readonly parser: Parser; readonly budget?: ClassifyBudget },
): Promise<CommitClasses> {
  const newest = commits.slice(-budget.files)
  if (newest.length === 0) return new Map()
  const until = clock.ticks() + budget.ms
  const found = await git.ask(commitsIn(['--no-walk=unsorted', ...newest], { countMax: null }))
  await using blobs = openBlobs(root, { localOnly: true })
  const classes = new Map<string, Map<string, ChangeClass>>()
  let left = budget.files
  const byOid = new Map(found.map(it => [it.oid, it]))
  for (const oid of newest.toReversed()) {
    const { parents = [], changes = [] } = byOid.get(oid) ?? {}
    if (parents.length > 1) continue
    const own = new Map<string, ChangeClass>()
    for await (const [path, found] of changeClasses(changes.slice(0, left), { parser, blobs })) {
      own.set(path, found)
      if (clock.ticks() > until) break
    }
    if (own.size > 0) classes.set(oid, own)
    left -= own.size
    if (left <= 0 || clock.ticks() > until) break
  }
  return classes
}
