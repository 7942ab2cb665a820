import micromatch from 'micromatch'
import { ignoredGlobs } from './ignored-globs.ts'
import type { Policy } from './policy.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'

/** A scope in git's own words, as globs of git attributes: what `inside` matches is owned, unless `bounds` does too. */
export type ScopeAttributes = { readonly inside: readonly string[]; readonly bounds: readonly string[] }

/**
 * Translates a scope, and all that limits it, for git; null when any part might mean something else to git. Bounds are
 * drawn generously: a path that is stopped by one is looked at again by the full judgement.
 */
export function scopeAttributes(scope: readonly string[], policy: Policy): ScopeAttributes | null {
  const owned = plainGlobs(scope.filter(it => !it.startsWith('!')))
  const limits = plainGlobs([
    ...scope.filter(it => it.startsWith('!')).map(it => it.slice(1)),
    ...[...policy.governance, ...policy.forbidden].filter(it => !it.startsWith('!')),
    // Whether a change of these is work depends on more than its path.
    ...POLICY_FILES,
  ])
  const ignored = ignoredGlobs(policy.intentignore)
  if (!owned || !limits || !ignored || owned.length === 0) return null
  const reaching = [...limits.flatMap(withTopDirectory), ...ignored].filter(limit =>
    owned.some(it => mayOverlap(it, limit)),
  )
  return { inside: owned, bounds: [...new Set(reaching)] }
}

/** The first pattern of a scope, or of what limits it, that might mean something else to git; null when none does. */
export function untranslatablePattern(scope: readonly string[], policy: Policy): string | null {
  const limits = [...policy.governance, ...policy.forbidden].filter(it => !it.startsWith('!'))
  const globs = [...scope.map(it => it.replace(/^!/, '')), ...limits]
  const odd = globs.find(it => !plainGlobs([it])) ?? policy.intentignore.find(it => !ignoredGlobs([it]))
  return odd ?? null
}

/** True for a glob that micromatch and git read alike: plain characters, `*` within a segment, `**` as a segment. */
export function isPlainGlob(glob: string): boolean {
  return (
    glob.length <= GLOB_LENGTH_MAX &&
    glob.split('/').every(it => it === '**' || /^(?!\.{1,2}$)(?:[\w.@+=,~-][ \w.@+=,~-]*|\*(?!\*))+$/.test(it))
  )
}

// Git passes over a line of attributes that is longer than 2048 bytes.
const GLOB_LENGTH_MAX = 1000

function plainGlobs(patterns: readonly string[]): string[] | null {
  const globs = patterns.flatMap(it => listAlternatives(it))
  return globs.every(isPlainGlob) ? globs : null
}

// Lists such as `{a,b}` mean the same everywhere once they are written out; ranges and nesting are left alone.
function listAlternatives(pattern: string): string[] {
  if (!/^[^{}\\]*(?:\{[^{}.\\]*,[^{}\\]*\}[^{}\\]*)+$/.test(pattern) || pattern.includes('..')) return [pattern]
  return micromatch.braces(pattern, { expand: true, rangeLimit: 1000 })
}

// To micromatch `a/**` is `a` as well; to git it is only what lies in there.
function withTopDirectory(glob: string): string[] {
  const top = glob.replace(/(?:\/\*\*)+$/, '')
  return top === glob ? [glob] : [top, glob]
}

/** Literal beginnings decide: only when one continues the other can both globs match one path. */
function mayOverlap(a: string, b: string): boolean {
  const [one, other] = [literalPrefix(a), literalPrefix(b)]
  return one.startsWith(other) || other.startsWith(one)
}

function literalPrefix(glob: string): string {
  return glob.split('*', 1)[0] ?? ''
}
