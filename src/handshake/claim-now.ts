import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readClaim } from '../intents/claim.ts'
import { askLightly } from '../io/git-lightly.ts'
import { codeOf } from '../io/files.ts'
import { CLAIMS, unreadable } from '../workspace/claim-refs.ts'
import type { Governed } from './governed.ts'

/** Refuses where it can't be told who works on an intent. */
export async function refuseDamagedClaim(place: Governed, intent: string): Promise<void> {
  const ref = `${CLAIMS}/${intent}`
  const oid = await looseAt(join(place.commonDir, ref))
  // What git would have to read has been read before.
  const known = join(place.gitDir, 'kotef/claims-read', intent)
  if (oid !== null && (await place.files.read(known).catch(() => null))?.toString('latin1') === oid) return
  const text = await askLightly(place.root, { args: ['cat-file', 'blob', ref], parse: out => out })
  if (text === null ? oid === null && !(await isPacked(place, ref)) : readClaim(text) !== null)
    return oid === null ? undefined : place.files.put(known, oid).catch(() => {})
  throw unreadable(place, intent, `${ref} points to what is no claim`)
}

async function looseAt(path: string): Promise<string | null> {
  return readFile(path, 'latin1').catch((thrown: unknown) => (codeOf(thrown) === 'ENOENT' ? null : ''))
}

async function isPacked({ commonDir }: Governed, ref: string): Promise<boolean> {
  const text = await readFile(join(commonDir, 'packed-refs'), 'latin1').catch(() => '')
  return text.split('\n').some(it => it.endsWith(` ${ref}`))
}
