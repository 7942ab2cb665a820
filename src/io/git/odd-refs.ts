import { type Dirent, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../../findings/failure.ts'
import { shellQuoted } from '../../text/printable.ts'

/** The folder of the refs that only kotef makes. */
const OWN_REFS = 'refs/kotef'

/** Throws for a pipe or a device among kotef's refs, if git would open them to answer: it would wait for ever. */
export async function refuseOddRefs(commonDir: string, args: readonly string[]): Promise<void> {
  if (!args.some(it => OPENS_OWN_REFS.test(it))) return
  const entries = await readdir(join(commonDir, OWN_REFS), { recursive: true, withFileTypes: true }).catch(() => [])
  const odd = entries.find(isOdd)
  if (odd) throw oddRefError(join(odd.parentPath, odd.name))
}

// To find those that a pattern names, git opens each ref.
const OPENS_OWN_REFS = /^(?:--all|--remotes=.*|show-ref|refs\/kotef(?:\/.*)?)$/

function isOdd(entry: Dirent): boolean {
  if (entry.isFile() || entry.isDirectory()) return false
  const named = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })
  return named !== undefined && !named.isFile() && !named.isDirectory()
}

/** The error for a ref that is a pipe or a device. */
export function oddRefError(path: string): KotefError {
  return new KotefError('orchestration-unavailable', `The claim ${path} is not a regular file: remove it.`, {
    hint: `Remove it: \`rm ${shellQuoted(path)}\``,
  })
}
