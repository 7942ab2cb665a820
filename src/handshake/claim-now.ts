import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IntentClaim, readClaim } from '../intents/claim.ts'
import { askLightly } from '../io/git-lightly.ts'
import { codeOf } from '../io/files.ts'
import { CLAIMS, unreadable } from '../workspace/claim-refs.ts'
import type { Governed } from './governed.ts'

/** Who works on an intent, or null for nobody; refused where that can't be told. */
export async function claimNow(place: Governed, intent: string): Promise<IntentClaim | null> {
  const ref = `${CLAIMS}/${intent}`
  const loose = await looseAt(join(place.commonDir, ref))
  const oid = loose !== null && OID.test(loose) ? loose : null
  // What git would have to read has been read before.
  const path = join(place.gitDir, 'kotef/claims-read', intent)
  const known = oid === null ? null : ((await place.files.read(path).catch(() => null))?.toString('utf8') ?? null)
  const kept = known?.startsWith(`${oid}\n`) ? readClaim(known.slice(known.indexOf('\n') + 1)) : null
  if (kept) return kept
  const text = await askLightly(place.root, {
    args: ['cat-file', 'blob', oid ?? ref],
    parse: out => out,
  })
  if (text === null && loose === null && !(await isPacked(place, ref))) return null
  const claim = text === null ? null : readClaim(text)
  if (!claim) throw unreadable(place, intent, `${ref} points to what is no claim`)
  if (oid !== null) await place.files.put(path, `${oid}\n${text}`).catch(() => {})
  return claim
}

const OID = /^[0-9a-f]{40,64}$/

async function looseAt(path: string): Promise<string | null> {
  return readFile(path, 'latin1').then(
    it => it.trim(),
    (thrown: unknown) => (codeOf(thrown) === 'ENOENT' ? null : ''),
  )
}

async function isPacked({ commonDir }: Governed, ref: string): Promise<boolean> {
  const text = await readFile(join(commonDir, 'packed-refs'), 'latin1').catch(() => '')
  return text.split('\n').some(it => it.endsWith(` ${ref}`))
}
