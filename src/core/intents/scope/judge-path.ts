import ignore from 'ignore'
import { foldedPath } from '../../base/folded-path.ts'
import { onceFor } from '../../base/once-for.ts'
import { closingList, globList, type GlobVerdict } from '../../base/globs.ts'
import type { EnforcedConstraint } from '../contract/enforced-constraints.ts'
import type { ConstrainedScope, PathVerdict, Policy, PolicyIntent } from './policy.ts'

/** Decides whether a scope covers a path: that of an intent, with its constraints, or one of globs alone. */
export type PathJudge = (scope: readonly string[] | ConstrainedScope, path: string) => PathVerdict

/**
 * Compiles a policy, once for each, to judge many paths. The order: paths that are forbidden to every intent, then
 * governance files, which no scope covers, then what the constraints of KOTEF.md and of the intent close, then the
 * scope itself, then the paths that ride with any intent that owns something. What closes a path is compared without
 * case, and what opens one with it.
 */
export const judgePath = onceFor((policy: Policy): PathJudge => {
  const verdictForAll = judgeForEveryScope(policy)
  const rides = globList(policy.rides ?? [])
  const scopes = new Map<string, (path: string) => PathVerdict>()
  return (given, path) => {
    const spelled = canonicalPath(path)
    if ('why' in spelled) return { kind: 'malformed', why: spelled.why }
    const scope = 'owned_scope' in given ? given : { owned_scope: given }
    const key = JSON.stringify([scope.owned_scope, scope.constraints])
    const compiled = scopes.get(key) ?? judgeForScope(scope)
    scopes.set(key, compiled)
    const verdict = verdictForAll(spelled.path) ?? compiled(spelled.path)
    const riding =
      scope.owned_scope.length > 0 && ['outside', 'excluded'].includes(verdict.kind) ? rides(spelled.path) : null
    return riding?.kind === 'in' ? { kind: 'owned', by: riding.by } : verdict
  }
})

// The verdict that does not depend on the scope; null when the scope decides.
function judgeForEveryScope({
  intentignore,
  forbidden,
  governance,
  constraints,
}: Policy): (path: string) => PathVerdict | null {
  const lines = intentignore.map(it => it.normalize('NFC'))
  const ignored = lines.length === 0 ? [] : [false, true].map(ignorecase => ignore({ ignorecase }).add(lines))
  const bans = closingList(forbidden)
  const governanceFiles = closingList(governance)
  const closed = closedBy(constraints)
  return path => {
    const [exact, caseless] = ignored
    const rule = exact?.test(path).rule ?? caseless?.test(foldedPath(path)).rule
    if (rule) return { kind: 'ignored', by: rule.pattern }
    const ban = bans(path)
    if (ban?.kind === 'in') return { kind: 'forbidden', by: ban.by }
    const governing = governanceFiles(path)
    return governing?.kind === 'in' ? { kind: 'governance', by: governing.by } : closed(path)
  }
}

function judgeForScope({ owned_scope, constraints }: ConstrainedScope): (path: string) => PathVerdict {
  const owned = globList(owned_scope)
  const closed = closedBy(constraints)
  return path => closed(path) ?? verdictOf(owned(path))
}

/** The constraint that closes a path; null where none does. */
export function constraintOnPath(
  path: string,
  constraints: readonly EnforcedConstraint[] = [],
): EnforcedConstraint | null {
  const verdict = closedBy(constraints)(path.normalize('NFC'))
  return verdict?.kind === 'constraint' ? verdict.constraint : null
}

function closedBy(constraints: readonly EnforcedConstraint[] = []): (path: string) => PathVerdict | null {
  const lists = constraints.flatMap(it =>
    it.rule.kind === 'paths' ? [{ it, closes: closingList(it.rule.globs) }] : [],
  )
  return path => {
    for (const { it: constraint, closes } of lists) {
      const found = closes(path)
      if (found?.kind === 'in') return { kind: 'constraint', by: found.by, constraint }
    }
    return null
  }
}

function verdictOf(found: GlobVerdict): PathVerdict {
  if (!found) return { kind: 'outside' }
  return { kind: found.kind === 'in' ? 'owned' : 'excluded', by: found.by }
}

/** An intent with the verdict of its scope about a path. */
export type Ownership = Pick<PolicyIntent, 'id' | 'name' | 'status'> & { readonly verdict: PathVerdict }

/** The verdict of every intent about a path, in the order of the registry. */
export function ownershipOf(policy: Policy, path: string): Ownership[] {
  const judge = judgePath(policy)
  return policy.intents.map(it => ({ id: it.id, name: it.name, status: it.status, verdict: judge(it, path) }))
}

/**
 * The spelling of a path that scopes are compared with: relative to the repository, with `/`, in Unicode NFC. For a
 * path without such a spelling the answer is `why`: no scope can own it.
 */
function canonicalPath(path: string): { readonly path: string } | { readonly why: string } {
  const why = pathFlaw(path)
  return why === null ? { path: path.normalize('NFC') } : { why }
}

function pathFlaw(path: string): string | null {
  if (path === '') return 'it is empty'
  if (path.includes('\0')) return 'it contains a NUL byte'
  if (/[\p{Cs}\uFFFD]/u.test(path)) return 'it is not valid UTF-8'
  if (path.startsWith('/')) return 'it is absolute'
  const segments = path.split('/')
  if (segments.includes('..')) return 'it contains `..`'
  if (segments.some(it => it === '' || it === '.')) return 'it contains an empty segment or `.`'
  return null
}
