import { type SharedClaim, isExpired, readSharedClaim } from '../../../core/intents/claim.ts'
import type { Config } from '../../../core/intents/config.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { readObjects } from './claim-refs.ts'

/** The refs of claims that were fetched: `<remote>/<clone>/claims/<intent>` below it. */
export const ELSEWHERE_REFS = 'refs/kotef/elsewhere'

/** A ref that was fetched from a remote, and its claim; null when it points to something else. */
export type FetchedClaim = {
  readonly ref: string
  readonly oid: string
  readonly clone: string
  readonly intent: string
  readonly claim: SharedClaim | null
}

/** A claim that a session of another clone holds, as of the last sync. */
export type ElsewhereClaim = SharedClaim & { readonly intent: string; readonly clone: string }

/** The fetched claims below a prefix, this clone's own among them. */
export async function fetchedClaims({ git }: Pick<Workspace, 'git'>, prefix: string): Promise<FetchedClaim[]> {
  const lines = await git.ask({
    args: ['for-each-ref', '--format=%(objectname) %(refname)', prefix],
    parse: out => out.split('\n').slice(0, -1),
  })
  const refs = lines.map(it => ({ oid: it.slice(0, it.indexOf(' ')), ref: it.slice(it.indexOf(' ') + 1) }))
  const oids = refs.map(it => it.oid)
  const texts = new Map((await readObjects({ git }, oids)).map(it => [it.oid, it] as const))
  return refs.map(({ ref, oid }) => {
    const found = texts.get(oid)
    const [clone = '', , intent = ''] = ref.split('/').slice(-3)
    return { ref, oid, clone, intent, claim: found?.type === 'blob' ? readSharedClaim(found.text) : null }
  })
}

/** The claims of other clones that have not expired, sorted by intent. They are shown and never enforced. */
export async function claimsElsewhere(
  workspace: Workspace,
  { claims_ttl_minutes: ttlMinutes }: Pick<Config, 'claims_ttl_minutes'>,
): Promise<ElsewhereClaim[]> {
  const [fetched, own] = await Promise.all([fetchedClaims(workspace, ELSEWHERE_REFS), readCloneId(workspace)])
  const found = new Map<string, ElsewhereClaim>()
  for (const { clone, intent, claim } of fetched) {
    if (!claim || clone === own || isExpired(claim, workspace.clock.now(), ttlMinutes)) continue
    const key = `${intent} ${clone}`
    // Two remotes can have the same claim.
    if ((found.get(key)?.heartbeatAt ?? '') < claim.heartbeatAt) found.set(key, { ...claim, intent, clone })
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, it]) => it)
}

/** This clone's name on remotes, a random one; null while it has shared nothing. */
export async function readCloneId({
  files,
  commonDir,
}: Pick<Workspace, 'files' | 'commonDir'>): Promise<string | null> {
  const text = (await files.read(cloneIdPath(commonDir)))?.toString('utf8').trim() ?? ''
  return /^[0-9a-f-]{36}$/.test(text) ? text : null
}

/** The same; gives the clone a name when it has none. */
export async function nameClone(workspace: Workspace): Promise<string> {
  const known = await readCloneId(workspace)
  if (known !== null) return known
  const id = workspace.clock.uuid()
  await workspace.files.put(cloneIdPath(workspace.commonDir), `${id}\n`)
  return id
}

function cloneIdPath(commonDir: string): string {
  return `${commonDir}/kotef/clone-id`
}
