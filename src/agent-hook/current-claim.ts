import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IntentClaim, readClaim } from '../intents/claim.ts'
import { askGitDirectly } from '../io/git/run-git.ts'
import { systemErrorCode } from '../io/files/files.ts'
import { CLAIM_REFS, claimUnreadableError } from '../sessions/claim-refs.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** The claim on an intent; null when there is none. Throws when the claim can't be read. */
export async function currentClaim(worktree: LightWorktree, intent: string): Promise<IntentClaim | null> {
  const ref = `${CLAIM_REFS}/${intent}`
  const loose = await looseRefAt(join(worktree.commonDir, ref))
  const oid = loose !== null && OID_PATTERN.test(loose) ? loose : null
  // git reads a claim's blob once: the text is kept, under the blob's oid.
  const path = join(worktree.gitDir, 'kotef/claims-read', intent)
  const known = oid === null ? null : ((await worktree.files.read(path).catch(() => null))?.toString('utf8') ?? null)
  const kept = known?.startsWith(`${oid}\n`) ? readClaim(known.slice(known.indexOf('\n') + 1)) : null
  if (kept) return kept
  const text = await askGitDirectly(worktree.root, {
    args: ['cat-file', 'blob', oid ?? ref],
    parse: out => out,
  })
  if (text === null && loose === null && !(await isPackedRef(worktree, ref))) return null
  const claim = text === null ? null : readClaim(text)
  if (!claim) throw claimUnreadableError(worktree, intent, `${ref} does not point to a claim`)
  if (oid !== null) await worktree.files.put(path, `${oid}\n${text}`).catch(() => {})
  return claim
}

const OID_PATTERN = /^[0-9a-f]{40,64}$/

async function looseRefAt(path: string): Promise<string | null> {
  return readFile(path, 'latin1').then(
    it => it.trim(),
    (thrown: unknown) => (systemErrorCode(thrown) === 'ENOENT' ? null : ''),
  )
}

async function isPackedRef({ commonDir }: LightWorktree, ref: string): Promise<boolean> {
  const text = await readFile(join(commonDir, 'packed-refs'), 'latin1').catch(() => '')
  return text.split('\n').some(it => it.endsWith(` ${ref}`))
}
