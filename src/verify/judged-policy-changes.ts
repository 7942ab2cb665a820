import type { Finding } from '../findings/finding.ts'
import { isPolicyFile, POLICY_ENTRIES } from '../paths/governance-files.ts'
import { type Commit, commitsIn } from '../trailers/commits.ts'
import type { ScratchWorkspace } from './judge-range.ts'
import type { VerifyRange } from './verify-range.ts'

/**
 * The commits that are judged with those of a push. They were judged on another branch, but the policy that they change
 * is new to the branch that the push moves: its old tip has the policy that counts. None where they change no policy;
 * what a default branch has is not news.
 */
export async function judgedPolicyCommits(
  { git }: Pick<ScratchWorkspace, 'git'>,
  { to, movedFrom }: VerifyRange,
  commits: readonly Commit[],
): Promise<readonly Commit[]> {
  if (movedFrom.length === 0) return []
  const revisions = [to, '--not', ...movedFrom]
  // Of two sides of a merge, git would leave out the one whose policy the merge does not keep.
  const args = ['rev-list', '--full-history', ...revisions, '--', ...POLICY_ENTRIES]
  const changing = await git.ask({ args, parse: out => out.split('\n').slice(0, -1) })
  const own = new Set(commits.map(it => it.oid))
  if (changing.every(it => own.has(it))) return []
  const known = (await git.ask(commitsIn(revisions, { countMax: null }))).filter(it => !own.has(it.oid))
  return known.some(it => it.changes.some(change => isPolicyFile(change.path))) ? known : []
}

/** Of such a commit only what it changes in the policy is news, and what the policy from before does not allow. */
export function isOfPolicy({ rule }: Finding): boolean {
  return POLICY_RULES.has(rule)
}

const POLICY_RULES: ReadonlySet<string> = new Set(['governance-changed', 'governance-loosened', 'policy-in-range'])
