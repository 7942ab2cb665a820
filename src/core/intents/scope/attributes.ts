import micromatch from 'micromatch'
import type { Policy, PolicyIntent } from './policy.ts'
import { SESSIONS_FOLDER } from '../../handover/port.ts'
import { closedGlobs, dependencyConstraint } from '../contract/enforced-constraints.ts'
import { DEPENDENCY_MANIFESTS } from '../contract/manifests.ts'
import { foldedPath } from '../../base/folded-path.ts'
import { INTENTS_FOLDER, POLICY_FILES, SETTINGS_ANYWHERE } from '../../base/governance-files.ts'

/** The globs of an intent, with what its constraints close as exceptions; and the manifests that Node has to read. */
export function constrainedGlobs({
  owned_scope,
  constraints,
}: Pick<PolicyIntent, 'owned_scope' | 'constraints'>): string[] {
  const manifests = dependencyConstraint(constraints) ? MANIFEST_GLOBS : []
  return [...owned_scope, ...[...closedGlobs(constraints), ...manifests].map(it => `!${it}`)]
}

const MANIFEST_GLOBS = DEPENDENCY_MANIFESTS.map(it => `**/${it}`)

/** A scope as globs of git attributes: the scope owns a path that `inside` matches and `bounds` does not. */
export type ScopeAttributes = { readonly inside: readonly string[]; readonly bounds: readonly string[] }

/**
 * Translates a scope and its limits to git attributes; null when git may read a part in another way. The bounds are too
 * wide rather than too narrow: Node judges a path again that a bound matches.
 */
export function scopeAttributes(scope: readonly string[], policy: Policy): ScopeAttributes | null {
  const owned = plainGlobs(scope.filter(it => !it.startsWith('!')))
  const limits = plainGlobs([
    ...scope.filter(it => it.startsWith('!')).map(it => it.slice(1)),
    ...[...policy.governance, ...SETTINGS_ANYWHERE, ...policy.forbidden].filter(it => !it.startsWith('!')),
    ...constrainedGlobs({ ...policy, owned_scope: [] }).map(it => it.slice(1)),
    // Whether a change of these files needs an intent depends on its content, too.
    ...POLICY_FILES,
    `${INTENTS_FOLDER}/**`,
    // The contract of the sessions in there is not a matter of scope.
    `${SESSIONS_FOLDER}/**`,
  ])
  const ignored = ignoredGlobs(policy.intentignore)
  if (!owned || !limits || !ignored || owned.length === 0) return null
  const reaching = [...limits.flatMap(withTopDirectory), ...ignored].filter(limit =>
    owned.some(it => mayOverlap(it, limit)),
  )
  return { inside: owned, bounds: [...new Set(reaching)] }
}

/** The first pattern of a scope or its limits that git may read in another way; null without one. */
export function untranslatablePattern(scope: readonly string[], policy: Policy): string | null {
  const limits = [...policy.governance, ...policy.forbidden, ...closedGlobs(policy.constraints)].filter(
    it => !it.startsWith('!'),
  )
  const globs = [...scope.map(it => it.replace(/^!/, '')), ...limits]
  const odd = globs.find(it => !plainGlobs([it])) ?? policy.intentignore.find(it => !ignoredGlobs([it]))
  return odd ?? null
}

/** True for a glob that micromatch and git read alike: plain characters, `*` in a segment, `**` as a segment. */
export function isPlainGlob(glob: string): boolean {
  return (
    glob.length <= GLOB_LENGTH_MAX &&
    glob.split('/').every(it => it === '**' || /^(?!\.{1,2}$)(?:[\w.@+=,~-][ \w.@+=,~-]*|\*(?!\*))+$/.test(it))
  )
}

// Git ignores a line of attributes that is longer than 2048 bytes, and a letter of a bound takes four.
const GLOB_LENGTH_MAX = 480

function plainGlobs(patterns: readonly string[]): string[] | null {
  const globs = patterns.flatMap(it => listAlternatives(it))
  return globs.every(isPlainGlob) ? globs : null
}

// Expands lists such as `{a,b}`, which git does not know; does not expand ranges and nested lists.
function listAlternatives(pattern: string): string[] {
  if (!/^[^{}\\]*(?:\{[^{}.\\]*,[^{}\\]*\}[^{}\\]*)+$/.test(pattern) || pattern.includes('..')) return [pattern]
  return micromatch.braces(pattern, { expand: true, rangeLimit: 1000 })
}

// To micromatch `a/**` matches `a` as well; to git only the paths below it.
function withTopDirectory(glob: string): string[] {
  const top = glob.replace(/(?:\/\*\*)+$/, '')
  return top === glob ? [glob] : [top, glob]
}

/** Compares literal beginnings without case: two globs match the same path only if one begins as the other does. */
function mayOverlap(a: string, b: string): boolean {
  const [one, other] = [a, b].map(it => foldedPath(literalPrefix(it))) as [string, string]
  return one.startsWith(other) || other.startsWith(one)
}

function literalPrefix(glob: string): string {
  return glob.split('*', 1)[0] ?? ''
}

/**
 * Globs that match at least the paths that some lines of gitignore syntax match; null when a line makes an exception,
 * or has special characters other than `*`.
 */
function ignoredGlobs(lines: readonly string[]): string[] | null {
  const globs: string[] = []
  for (const line of lines) {
    const body = /^\/?([^!#\\[?/][^\\[?]{0,479}?)\/?[ \t\r]*$/.exec(line)?.[1]
    if (!body) return null
    const anywhere = line.startsWith('/') || body.includes('/') ? body : `**/${body}`
    globs.push(anywhere, `${anywhere}/**`)
  }
  return globs.every(it => it.split('/').every(part => part === '**' || !/\*\*|[^ -~]/.test(part))) ? globs : null
}
