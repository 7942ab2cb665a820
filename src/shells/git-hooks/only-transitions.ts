import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PathChange } from '../../core/git/changes.ts'
import { linesTwice } from '../../core/intents/scope/compiled-policy.ts'
import { isRegistryPath } from '../../core/base/governance-files.ts'
import { VERSION } from '../../world/io/files/package.ts'
import { LARGE_FILE_BYTES_MAX, readRegularFileSync } from '../../world/io/files/regular-file.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'
import { opennessFlaw, statOf } from './private-files.ts'

/**
 * True when the staged changes of the registry only move intents from one state to another. All three hooks of a commit
 * need this, so the first keeps the answer for the others, beside the compiled policy: who can write the one can write
 * the other. The file must be, to the last byte, what this kotef writes for these objects.
 */
export async function areOnlyTransitionsHere(context: HookContext, changes: readonly PathChange[]): Promise<boolean> {
  const ofRegistry = changes.filter(it => isRegistryPath(it.path))
  if (ofRegistry.length === 0) return false
  const file = join(context.compiled, 'only-transitions')
  const textOf = (answer: boolean): string => linesTwice([VERSION, ofRegistry, answer])
  const kept = readKept(file)
  for (const answer of [true, false]) if (kept === textOf(answer)) return answer
  const answer = await askYamlHelper(context, 'only-transitions', ofRegistry)
  keep(file, textOf(answer))
  return answer
}

// Another user can't make a file that is this user's.
function readKept(file: string): string | null {
  const found = statOf(file)
  if (!found?.isFile() || opennessFlaw(found) !== null) return null
  try {
    return readRegularFileSync(file, { bytesMax: LARGE_FILE_BYTES_MAX })?.toString('utf8') ?? null
  } catch {
    return null
  }
}

// Anything in its place is replaced: a pipe would be waited for.
function keep(file: string, text: string): void {
  try {
    rmSync(file, { force: true, recursive: true })
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch {
    // The next hook asks again.
  }
}
