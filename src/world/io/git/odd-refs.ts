import { type Dirent, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../../../core/base/failure.ts'
import { LARGE_FILE_BYTES_MAX, readRegularFileSync } from '../files/regular-file.ts'
import { shellQuoted } from '../../../core/base/printable.ts'

/** Throws for a pipe or a device among the refs, if git would open them to answer: it would wait for ever. */
export async function refuseOddRefs(commonDir: string, args: readonly string[]): Promise<void> {
  const notes = join(commonDir, OWN_NOTES)
  if (args.some(it => OPENS_NOTES.test(it)) && isOdd(statOrNull(notes))) throw oddRefError(notes)
  const opensAll = args.some(it => OPENS_ALL_REFS.test(it))
  if (!opensAll && !args.some(it => OPENS_OWN_REFS.test(it))) return
  const folder = join(commonDir, opensAll ? 'refs' : 'refs/kotef')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const odd = entries.find(it => isOdd(it) && isOdd(statOrNull(join(it.parentPath, it.name))))
  if (odd) throw oddRefError(join(odd.parentPath, odd.name))
}

// To find those that a pattern names, git opens each ref.
const OPENS_ALL_REFS = /^(?:--all|--branches|--tags|--(?:remotes|glob)(?:=.*)?|show-ref)$/
const OPENS_OWN_REFS = /^refs\/kotef(?:\/.*)?$/

const OWN_NOTES = 'refs/notes/kotef'
const OPENS_NOTES = /^(?:--all|show-ref|(?:--notes=|--ref=)?refs\/notes(?:\/kotef.*)?)$/

function isOdd(entry: Pick<Dirent, 'isFile' | 'isDirectory'> | null): boolean {
  return entry !== null && !entry.isFile() && !entry.isDirectory()
}

/**
 * Throws for a pipe, a device or a huge file in the place of a file that git opens for nearly every question: git would
 * wait for ever, or read for minutes.
 */
export function refuseOddGitFiles({ gitDir, commonDir }: GitDirectories): void {
  const branch = branchFile(join(gitDir, 'HEAD'))
  for (const it of [...(branch === null ? [] : [branch]), OWN_NOTES]) {
    const path = join(commonDir, it)
    const flaw = flawOf(path, REF_BYTES_MAX)
    if (flaw !== null) throw oddRefError(path, flaw)
  }
  const places = [
    ...GIT_FILES.map(it => ({ path: join(gitDir, it), bytesMax: Infinity })),
    ...SHARED_FILES.map(it => ({ path: join(commonDir, it), bytesMax: LARGE_FILE_BYTES_MAX })),
  ]
  for (const { path, bytesMax } of places) {
    const flaw = flawOf(path, bytesMax)
    if (flaw === null) continue
    throw new KotefError('orchestration-unavailable', `${path} ${flaw}: git can't read the repository.`, {
      hint: `Move it away: \`mv ${shellQuoted(path)} ${shellQuoted(`${path}.odd`)}\``,
    })
  }
}

function flawOf(path: string, bytesMax: number): string | null {
  const found = statOrNull(path)
  if (!found || found.isDirectory() || (found.isFile() && found.size <= bytesMax)) return null
  return found.isFile() ? 'is too large' : 'is not a regular file'
}

type GitDirectories = { readonly gitDir: string; readonly commonDir: string }

const GIT_FILES = ['HEAD', 'index', 'config.worktree', 'info/sparse-checkout', 'MERGE_HEAD', 'ORIG_HEAD']
const SHARED_FILES = ['config', 'packed-refs', 'shallow', 'info/exclude', 'info/attributes', 'objects/info/alternates']
const REF_BYTES_MAX = 65_536

function branchFile(head: string): string | null {
  try {
    return /^ref: (refs\/[^\0\n]+)$/m.exec(readRegularFileSync(head)?.toString('latin1') ?? '')?.[1] ?? null
  } catch {
    return null
  }
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** The error for a ref that is a pipe, a device or a huge file. Below `refs/`, git reads it under any name. */
export function oddRefError(path: string, flaw = 'is not a regular file'): KotefError {
  return new KotefError('orchestration-unavailable', `The reference ${path} ${flaw}: remove it.`, {
    hint: `Remove it: \`rm ${shellQuoted(path)}\``,
  })
}
