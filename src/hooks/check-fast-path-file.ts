import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { fastPathFlaw } from '../scope/fast-path-file.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { sourceLinkName } from '../scope/compiled-policy.ts'
import type { HookContext } from './hook-context.ts'

/** The flaws of the compiled scope, and whether its sources have changed since it was compiled. */
export type FastPathCheck = { readonly flaws: readonly string[]; readonly isStale: boolean }

/** Checks the compiled scope as the shell does, and describes each flaw. A missing file is not a flaw. */
export function checkFastPathFile({ compiled, gitDir }: Pick<HookContext, 'compiled' | 'gitDir'>): FastPathCheck {
  const path = join(compiled, 'active')
  const file = statOf(path)
  if (!file) return { flaws: [], isStale: false }
  const flaw = flawIn(path, file) ?? opennessFlaw(statOf(compiled), 'its folder ')
  const flaws = flaw === null ? [] : [`${path} ${flaw}: judged in full, and written again`]
  return { flaws, isStale: isOutdated({ compiled, gitDir }, file) }
}

function flawIn(path: string, file: Stats): string | null {
  if (file.isSymbolicLink()) return 'is a symbolic link'
  if (!file.isFile()) return 'is not a file'
  return opennessFlaw(file, '') ?? flawInText(path)
}

function flawInText(path: string): string | null {
  try {
    return fastPathFlaw(readFileSync(path, 'utf8'), process.cwd())
  } catch {
    return "can't be read"
  }
}

function opennessFlaw(found: Stats | null, subject: string): string | null {
  if (!found || found.uid !== process.geteuid?.()) return `${subject}belongs to someone else`
  return found.mode & 0o077 ? `${subject}is open to others (mode ${(found.mode & 0o777).toString(8)})` : null
}

function isOutdated({ compiled, gitDir }: Pick<HookContext, 'compiled' | 'gitDir'>, file: Stats): boolean {
  const origHead = statOf(join(gitDir, 'ORIG_HEAD'))
  if (origHead && origHead.mtimeMs >= file.mtimeMs) return true
  return POLICY_FILES.some((source, n) => {
    const [current, linked] = [statOf(source), statOf(join(compiled, sourceLinkName(n)))]
    if (!current || !linked) return current !== linked
    return current.ino !== linked.ino || current.dev !== linked.dev || current.mtimeMs >= file.mtimeMs
  })
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
