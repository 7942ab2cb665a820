import micromatch from 'micromatch'
import { ignoredGlobs } from './ignored-globs.ts'
import type { Policy } from './policy.ts'
import { POLICY_FILES } from './state.ts'

/** A scope in git's own words, as globs of git attributes: what `inside` matches is owned, unless `bounds` does too. */
export type Attributes = { readonly inside: readonly string[]; readonly bounds: readonly string[] }

/**
 * Translates a scope, and all that limits it, for git; null when any part might mean something else to git. Bounds are
 * drawn generously: a path that is stopped by one is looked at again by the full judgement.
 */
export function attributesOf(scope: readonly string[], policy: Policy): Attributes | null {
  const owned = globsOf(scope.filter(it => !it.startsWith('!')))
  const limits = globsOf([
    ...scope.filter(it => it.startsWith('!')).map(it => it.slice(1)),
    ...[...policy.governance, ...policy.forbidden].filter(it => !it.startsWith('!')),
    // Whether a change of these is work depends on more than its path.
    ...POLICY_FILES,
  ])
  const ignored = ignoredGlobs(policy.intentignore)
  if (!owned || !limits || !ignored || owned.length === 0) return null
  const reaching = [...limits.flatMap(withItsTop), ...ignored].filter(limit => owned.some(it => mayMeet(it, limit)))
  return { inside: owned, bounds: [...new Set(reaching)] }
}

/** The first pattern of a scope, or of what limits it, that might mean something else to git; null when none does. */
export function unlikeGit(scope: readonly string[], policy: Policy): string | null {
  const limits = [...policy.governance, ...policy.forbidden].filter(it => !it.startsWith('!'))
  const globs = [...scope.map(it => it.replace(/^!/, '')), ...limits]
  const odd = globs.find(it => !globsOf([it])) ?? policy.intentignore.find(it => !ignoredGlobs([it]))
  return odd ?? null
}

/** True for a glob that micromatch and git read alike: plain characters, `*` within a segment, `**` as a segment. */
export function isPlain(glob: string): boolean {
  return (
    glob.length <= LENGTH_MAX &&
    glob.split('/').every(it => it === '**' || /^(?!\.{1,2}$)(?:[\w.@+=,~-][ \w.@+=,~-]*|\*(?!\*))+$/.test(it))
  )
}

// Git passes over a line of attributes that is longer than 2048 bytes.
const LENGTH_MAX = 1000

function globsOf(patterns: readonly string[]): string[] | null {
  const globs = patterns.flatMap(it => alternativesOf(it))
  return globs.every(isPlain) ? globs : null
}

// Lists such as `{a,b}` mean the same everywhere once they are written out; ranges and nesting are left alone.
function alternativesOf(pattern: string): string[] {
  if (!/^[^{}\\]*(?:\{[^{}.\\]*,[^{}\\]*\}[^{}\\]*)+$/.test(pattern) || pattern.includes('..')) return [pattern]
  return micromatch.braces(pattern, { expand: true, rangeLimit: 1000 })
}

// To micromatch `a/**` is `a` as well; to git it is only what lies in there.
function withItsTop(glob: string): string[] {
  const top = glob.replace(/(?:\/\*\*)+$/, '')
  return top === glob ? [glob] : [top, glob]
}

/** Literal beginnings decide: only when one continues the other can both globs match one path. */
function mayMeet(a: string, b: string): boolean {
  const [one, other] = [beginningOf(a), beginningOf(b)]
  return one.startsWith(other) || other.startsWith(one)
}

function beginningOf(glob: string): string {
  return glob.split('*', 1)[0] ?? ''
}
