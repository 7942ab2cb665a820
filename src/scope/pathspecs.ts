import micromatch from 'micromatch'
import { ignoredPathspecs } from './ignored-pathspecs.ts'
import type { Policy } from './policy.ts'
import { RIDES } from './rides.ts'

/** A scope in git's own words: what lies in `inside` is owned, but for what lies in `bounds` as well. */
export type Pathspecs = { readonly inside: readonly string[]; readonly bounds: readonly string[] }

/**
 * Translates a scope, and all that limits it, into git pathspecs; null when any part might mean something else to
 * git. Bounds are drawn generously: a path that is stopped by one is looked at again by the full judgement.
 */
export function pathspecsOf(scope: readonly string[], policy: Policy): Pathspecs | null {
  const owned = globsOf(scope.filter(it => !it.startsWith('!')))
  const limits = globsOf([
    ...scope.filter(it => it.startsWith('!')).map(it => it.slice(1)),
    ...[...policy.governance, ...policy.forbidden].filter(it => !it.startsWith('!')),
  ])
  const ignored = ignoredPathspecs(policy.intentignore)
  if (!owned || !limits || !ignored || owned.length === 0) return null
  const reaching = [...limits, ...ignored].filter(limit => owned.some(it => mayMeet(it, limit)))
  return {
    inside: [...owned, ...RIDES].map(it => pathspec(it)),
    bounds: [...new Set([...reaching.map(it => pathspec(it)), ...owned.flatMap(it => insideOf(it))])],
  }
}

/** True for a glob that micromatch and git read alike: plain characters, `*` within a segment, `**` as a segment. */
export function isPlain(glob: string): boolean {
  return (
    glob !== '' &&
    glob.split('/').every(it => it === '**' || /^(?!\.{1,2}$)(?:[\w.@+=,~-][ \w.@+=,~-]*|\*(?!\*))+$/.test(it))
  )
}

function globsOf(patterns: readonly string[]): string[] | null {
  const globs = patterns.flatMap(it => alternativesOf(it))
  return globs.every(isPlain) ? globs : null
}

// Lists such as `{a,b}` mean the same everywhere once they are written out; ranges and nesting are left alone.
function alternativesOf(pattern: string): string[] {
  if (!/^[^{}\\]*(?:\{[^{}.\\]*,[^{}\\]*\}[^{}\\]*)+$/.test(pattern) || pattern.includes('..')) return [pattern]
  return micromatch.braces(pattern, { expand: true, rangeLimit: 1000 })
}

/** Literal beginnings decide: only when one continues the other can both globs match one path. */
function mayMeet(a: string, b: string): boolean {
  const [one, other] = [beginningOf(a), beginningOf(b)]
  return one.startsWith(other) || other.startsWith(one)
}

function beginningOf(glob: string): string {
  return glob.split('*', 1)[0] ?? ''
}

// To git a pathspec also takes in all below a directory of just that name, `*` being a good name for one.
function insideOf(glob: string): string[] {
  return glob.endsWith('/**') || glob === '**' ? [] : [pathspec(`${glob.replaceAll('*', '\\*')}/**`)]
}

function pathspec(glob: string): string {
  return `:(top,glob)${glob}`
}
