import type { Blobs } from '../io/git/blobs.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { readRegistry } from '../intents/registry.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { readBlobText } from '../worktree/files-at-head.ts'
import { policyFromTexts } from './load-policy.ts'

/** Answers the policy that judges the children of a commit; null when that commit has no registry. */
export type PolicyLookup = (commit: string) => Promise<Policy | null>

/**
 * Reads the policy of each commit from that commit, so that later, stricter rules don't accuse it. The newcomers count
 * as open intents as well: the judged commit may be the one that adds them.
 */
export function policyLookup(blobs: Blobs, newcomers: readonly PolicyIntent[]): PolicyLookup {
  const known = new Map<string, Policy | null>()
  return async commit => {
    const texts = await Promise.all(POLICY_FILES.map(it => readBlobText(blobs, `${commit}:${it}`)))
    const key = JSON.stringify(texts)
    const policy = known.has(key) ? known.get(key) : withNewcomers(policyFromTexts(texts), newcomers)
    known.set(key, policy ?? null)
    return policy ?? null
  }
}

/** The intents in a commit's registry; none when it is missing or damaged. */
export async function intentsAtCommit(blobs: Blobs, commit: string): Promise<readonly PolicyIntent[]> {
  return readRegistry((await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)) ?? '').intents
}

function withNewcomers(policy: Policy | null, newcomers: readonly PolicyIntent[]): Policy | null {
  if (!policy) return null
  const ids = new Set(policy.intents.map(it => it.id))
  const others = newcomers.filter((it, n) => !ids.has(it.id) && newcomers.findIndex(({ id }) => id === it.id) === n)
  const open = others.map(({ id, name, owned_scope }) => ({ id, name, owned_scope, status: 'IN_PROGRESS' as const }))
  return { ...policy, intents: [...policy.intents.map(asInProgress), ...open] }
}

function asInProgress(intent: PolicyIntent): PolicyIntent {
  const isClosed = intent.status === 'COMPLETED' || intent.status === 'ABANDONED'
  return isClosed ? intent : { ...intent, status: 'IN_PROGRESS' }
}
