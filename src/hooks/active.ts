import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { flawOf } from '../scope/active.ts'
import { linkOf, POLICY_FILES } from '../scope/state.ts'
import type { Place } from './place.ts'

/** How the compiled scope was found: what is wrong with it, and whether its sources have changed since. */
export type FoundActive = { readonly flaws: readonly string[]; readonly isStale: boolean }

/** Looks at the compiled scope as the shell does, but with words for what it sees. None at all is nothing to tell. */
export function activeOf({ compiled, gitDir }: Pick<Place, 'compiled' | 'gitDir'>): FoundActive {
  const path = join(compiled, 'active')
  const active = statOf(path)
  if (!active) return { flaws: [], isStale: false }
  const flaw = flawIn(path, active) ?? openness(statOf(compiled), 'its folder ')
  const flaws = flaw === null ? [] : [`${path} ${flaw}: judged in full, and written anew`]
  return { flaws, isStale: isStale({ compiled, gitDir }, active) }
}

function flawIn(path: string, active: Stats): string | null {
  if (active.isSymbolicLink()) return 'is a symbolic link'
  if (!active.isFile()) return 'is no file'
  return openness(active, '') ?? flawInText(path)
}

function flawInText(path: string): string | null {
  try {
    return flawOf(readFileSync(path, 'utf8'), process.cwd())
  } catch {
    return "can't be read"
  }
}

function openness(found: Stats | null, whose: string): string | null {
  if (!found || found.uid !== process.geteuid?.()) return `${whose}belongs to someone else`
  return found.mode & 0o077 ? `${whose}is open to others (mode ${(found.mode & 0o777).toString(8)})` : null
}

function isStale({ compiled, gitDir }: Pick<Place, 'compiled' | 'gitDir'>, active: Stats): boolean {
  const moved = statOf(join(gitDir, 'ORIG_HEAD'))
  if (moved && moved.mtimeMs >= active.mtimeMs) return true
  return POLICY_FILES.some((source, n) => {
    const [now, then] = [statOf(source), statOf(join(compiled, linkOf(n)))]
    if (!now || !then) return now !== then
    return now.ino !== then.ino || now.dev !== then.dev || now.mtimeMs >= active.mtimeMs
  })
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
