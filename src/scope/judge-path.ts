import ignore from 'ignore'
import { foldedPath } from '../paths/folded-path.ts'
import { closingList, globList, type GlobVerdict } from '../paths/globs.ts'
import type { PathVerdict, Policy, PolicyIntent } from './policy.ts'

/** Decides whether a scope covers a path. */
export type PathJudge = (scope: readonly string[], path: string) => PathVerdict

/**
 * Compiles a policy, to judge many paths. The order: paths that are forbidden to every intent, then governance files,
 * which no scope covers, then the scope itself, then the paths that ride with any intent that owns something. What
 * closes a path is compared without case, and what opens one with it.
 */
export function judgePath(policy: Policy): PathJudge {
  const verdictForAll = judgeForEveryScope(policy)
  const rides = globList(policy.rides ?? [])
  const scopes = new Map<string, (path: string) => GlobVerdict>()
  return (scope, path) => {
    const spelled = canonicalPath(path)
    if ('why' in spelled) return { kind: 'malformed', why: spelled.why }
    const key = JSON.stringify(scope)
    const compiled = scopes.get(key) ?? globList(scope)
    scopes.set(key, compiled)
    const verdict = verdictForAll(spelled.path) ?? verdictOf(compiled(spelled.path))
    const riding = scope.length > 0 && ['outside', 'excluded'].includes(verdict.kind) ? rides(spelled.path) : null
    return riding?.kind === 'in' ? { kind: 'owned', by: riding.by } : verdict
  }
}

// The verdict that does not depend on the scope; null when the scope decides.
function judgeForEveryScope({ intentignore, forbidden, governance }: Policy): (path: string) => PathVerdict | null {
  const lines = intentignore.map(it => it.normalize('NFC'))
  const ignored = lines.length === 0 ? [] : [false, true].map(ignorecase => ignore({ ignorecase }).add(lines))
  const bans = closingList(forbidden)
  const governanceFiles = closingList(governance)
  return path => {
    const [exact, caseless] = ignored
    const rule = exact?.test(path).rule ?? caseless?.test(foldedPath(path)).rule
    if (rule) return { kind: 'ignored', by: rule.pattern }
    const ban = bans(path)
    if (ban?.kind === 'in') return { kind: 'forbidden', by: ban.by }
    const governing = governanceFiles(path)
    return governing?.kind === 'in' ? { kind: 'governance', by: governing.by } : null
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
  return policy.intents.map(({ id, name, status, owned_scope }) => ({
    id,
    name,
    status,
    verdict: judge(owned_scope, path),
  }))
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
