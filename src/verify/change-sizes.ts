import { changedLinesOf } from '../commits/chore-facts.ts'
import { buildIntentContract } from '../contract/intent-contract.ts'
import { readConfig } from '../intents/config.ts'
import type { Intent } from '../intents/intent.ts'
import { CONFIG_PATH, PROJECT_POLICY_PATH, REGISTRY_PATH } from '../paths/governance-files.ts'
import type { CommitFinding } from '../report/verification.ts'
import { changeSizeFindings, hasSizeLimit } from '../rules/change-size.ts'
import type { Commit } from '../trailers/commits.ts'
import { readBlobText } from '../worktree/head.ts'
import { asCommitFinding, type ScratchWorkspace } from './judge-range.ts'

type RangeStart = { readonly commit: string; readonly intents: readonly Intent[] }

/** For review: intents whose commits in a range change more than the policy at the start of the range wants. */
export async function changeSizes(
  workspace: ScratchWorkspace,
  { commit, intents }: RangeStart,
  commits: readonly Commit[],
): Promise<CommitFinding[]> {
  const textOf = (path: string) => readBlobText(workspace.blobs, `${commit}:${path}`)
  const { appetites } = readConfig(await textOf(CONFIG_PATH)).config
  const text = await textOf(PROJECT_POLICY_PATH)
  const policy = text === null ? null : { file: PROJECT_POLICY_PATH, text }
  const limited = intents
    .filter(({ id }) => commits.some(it => it.cited.includes(id)))
    .map(intent => buildIntentContract({ intent, registry: REGISTRY_PATH, ticket: null, policy }))
    .filter(it => hasSizeLimit(it, appetites))
  if (limited.length === 0) return []
  const lines = await changedLinesOf(workspace, commits)
  return limited.flatMap(contract => {
    const own = commits.filter(it => it.cited.includes(contract.intent) && it.parents.length < 2)
    const files = new Set(own.flatMap(it => it.changes.map(({ path }) => path))).size
    const changed = own.flatMap(it => [...(lines.get(it.oid)?.values() ?? [])]).reduce((sum, it) => sum + it, 0)
    return changeSizeFindings(contract, appetites, { files, lines: changed }).map(it => asCommitFinding(it, undefined))
  })
}
