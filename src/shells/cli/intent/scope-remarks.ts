import { pathsOfWorktree } from '../../../core/git/index-entries.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import { overlappingIntents } from '../../../world/lifecycle/start-intent.ts'
import { loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { type ScopeOverlap } from '../../../core/intents/scope/scope-overlap.ts'
import { unmatchedGlobs } from '../../../core/intents/scope/unmatched-globs.ts'
import { plural, printable } from '../../../core/base/printable.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** What a person should know of a scope that was just written: globs without a file, and other owners of its paths. */
export async function scopeRemarks(workspace: Workspace, intent: Intent): Promise<ScopeRemarks> {
  const paths = await workspace.git.ask(pathsOfWorktree)
  const { intents } = await loadRegistry(workspace)
  const overlaps = await overlappingIntents(workspace, intent, intents)
  return { unmatched: unmatchedGlobs(intent.owned_scope, paths), overlaps }
}

export type ScopeRemarks = { readonly unmatched: readonly string[]; readonly overlaps: readonly ScopeOverlap[] }

/** These remarks as lines. */
export function scopeRemarkLines({ unmatched, overlaps }: ScopeRemarks): string[] {
  return [...unmatched.map(unmatchedLine), ...overlaps.map(overlapLine)]
}

function unmatchedLine(glob: string): string {
  const form = OTHER_FORMS.find(([pattern]) => pattern.test(glob.replace(/\{[^}]*\}/g, '')))?.[1]
  return `  No file matches ${printable(glob)} yet${form === undefined ? '.' : `: ${form}`}`
}

// What people write who know lists, CODEOWNERS or gitignore. A name may have each of these characters.
const OTHER_FORMS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/,/, 'the comma is a part of the name. Give each glob a `--scope` of its own.'],
  [/\s/, 'the space is a part of the name. Give each glob a `--scope` of its own.'],
  [/^[#@]/, 'here this is the name of a file, and neither a comment nor an owner.'],
  [/\\/, 'a backslash takes the meaning of the character after it. Folders have `/` between them.'],
]

/** Another intent that owns paths of a scope as well, as a line. */
export function overlapLine({ intent, paths, example }: ScopeOverlap): string {
  if (paths === 0) return `  ${intent} also names the folder ${example}`
  return `  ${intent} also owns ${plural(paths, 'path')} of this scope, such as ${example}`
}
