import { readRegistry } from '../../core/intents/registry.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { policyFromTexts } from '../../core/rules/policy-of-sources.ts'
import { type Review, type ReviewFacts, reviewOf } from '../../core/report/review/review.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import { type RangeRequest, verifyOneRange } from '../verify/run-verify.ts'
import { readPolicyTexts } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { countReviewLines, type ReviewedCommits } from './count-lines.ts'

/** The report on a range: what `kotef verify` finds in it, and what its notes say. Nothing is written. */
export async function reviewRange(workspace: Workspace, request: RangeRequest): Promise<Review> {
  return reviewOf((await reviewCommits(workspace, request)).facts)
}

/** The facts of a report, and what is needed to list the lines that it counts. */
export type ReviewedRange = ReviewedCommits & { readonly facts: ReviewFacts }

/** What the report on a range is made of. */
export async function reviewCommits(workspace: Workspace, request: RangeRequest): Promise<ReviewedRange> {
  const { commits, to, ...verification } = await verifyOneRange(workspace, request)
  const { intents, policy } = await policyAtEnd(workspace, to)
  const judge = policy && judgePath(policy)
  const scopes = new Map(intents.map(it => [it.id, it.owned_scope]))
  const owns = (intent: string, path: string) => judge?.(scopes.get(intent) ?? [], path).kind === 'owned'
  const lines = await countReviewLines(workspace, { commits, owns })
  return { facts: { verification, commits, intents, policy, lines }, commits, owns }
}

// A registry that can't be read has a finding, and no intents here.
async function policyAtEnd({ root }: Workspace, to: string) {
  await using blobs = openBlobs(root)
  const texts = await readPolicyTexts(blobs, to)
  const { intents, problems } = readRegistry(texts[0] ?? '')
  return problems.length === 0 ? { intents, policy: policyFromTexts(texts) } : { intents: [], policy: null }
}
