import { changedLinesOf } from '../commits/chore-facts.ts'
import { documentConstraints, intentConstraints } from '../../core/intents/contract/intent-contract.ts'
import { readConfig } from '../../core/intents/config.ts'
import type { Intent } from '../../core/intents/intent.ts'
import { CONFIG_PATH, PROJECT_POLICY_PATH, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { type ChangeSize, changeSizeFindings, sizeLimits } from '../../core/rules/change-size.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import { readBlobText } from '../io/worktree/head.ts'
import { asCommitFinding } from './judge-range.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

type RangeStart = { readonly commit: string; readonly intents: readonly Intent[] }

/** For review: intents whose commits in a range change more than the policy at the start of the range wants. */
export async function changeSizes(
  workspace: ScratchWorkspace,
  { commit, intents }: RangeStart,
  commits: readonly Commit[],
): Promise<CommitFinding[]> {
  const textOf = async (path: string) => (await readBlobText(workspace.blobs, `${commit}:${path}`)) ?? ''
  const { appetites } = readConfig(await textOf(CONFIG_PATH)).config
  const ofProject = documentConstraints({ file: PROJECT_POLICY_PATH, text: await textOf(PROJECT_POLICY_PATH) })
  const limitsOf = (it: Intent) => sizeLimits(it, appetites, [...intentConstraints(it, REGISTRY_PATH), ...ofProject])
  const limited = intents
    .map(it => ({ id: it.id, limits: limitsOf(it), own: commits.filter(one => isWorkFor(one, it)) }))
    .filter(it => it.limits.length > 0 && it.own.length > 0)
  if (limited.length === 0) return []
  const lines = await changedLinesOf(workspace, [...new Set(limited.flatMap(it => it.own))])
  return limited.flatMap(({ id, limits, own }) => {
    const found = changeSizeFindings(id, limits, sizeOf(own, lines))
    return found.map(it => asCommitFinding(it, undefined))
  })
}

// What a merge brings is in the commits that it merges.
function isWorkFor({ cited, parents }: Commit, { id }: Intent): boolean {
  return cited.includes(id) && parents.length < 2
}

function sizeOf(commits: readonly Commit[], lines: Awaited<ReturnType<typeof changedLinesOf>>): ChangeSize {
  const counts = commits.flatMap(it => [...(lines.get(it.oid)?.values() ?? [])])
  const paths = commits.flatMap(it => it.changes.map(({ path }) => path))
  return { files: new Set(paths).size, lines: counts.reduce((sum, it) => sum + it, 0) }
}
