import { printable } from '../text/printable.ts'
import type { PathJudge } from '../scope/judge-path.ts'
import type { PathVerdict, PolicyIntent } from '../scope/policy.ts'
import { type HandoverRole, sessionOfPath, whyNotWritten } from '../handover/agents.ts'
import { type Reason, roleViolation } from './reasons.ts'

/** The intent that targets are judged by, and the content that the session knows of each file. */
export type TargetAuthority = {
  /** The session's role in a handover; null without one. */
  readonly role?: HandoverRole | null
  readonly intent: PolicyIntent
  readonly judge: PathJudge
  readonly knownOids: ReadonlyMap<string, string | null>
}

/** Why a target may not be written: each location must be in scope, and its content as the session knows it. */
export function judgeTarget(
  { spelling, locations, currentOid, currentOidsBelow }: TargetFact,
  authority: TargetAuthority,
): Reason[] {
  const refused = locations.map(it => locationReason(it, spelling, authority)).find(it => it !== null)
  if (refused) return [refused]
  const nowAt = (path: string): string | null => currentOidsBelow?.get(path) ?? currentOid
  const isStale = (path: string): boolean =>
    authority.knownOids.has(path) && authority.knownOids.get(path) !== nowAt(path)
  return locations.some(it => it.kind === 'inside' && isStale(it.path))
    ? [staleFile(spelling, authority.intent.id)]
    : []
}

function locationReason(location: TargetLocation, spelling: string, authority: TargetAuthority): Reason | null {
  const { intent, judge, role = null } = authority
  if (location.kind === 'inside') {
    const refused = role && whyNotWritten(location.path, role)
    if (refused) return roleViolation(location.path, refused)
    const verdict = judge(intent.owned_scope, location.path)
    // Sessions of the handover belong to no intent's scope.
    const isFree = verdict.kind === 'outside' && sessionOfPath(location.path) !== null
    return isFree ? null : verdictReason(verdict, location.path, intent.id)
  }
  if (location.kind === 'nowhere')
    return pathReason('path-malformed', spelling, `${printable(spelling)} can't be judged as a path: ${location.why}.`)
  const [code, words] = LOCATION_REASONS[location.kind]
  const way = spelling === location.path ? '' : ` (it leads to ${printable(location.path)})`
  return pathReason(code, spelling, `${intent.id} is not authorized to edit ${printable(spelling)}: it ${words}${way}.`)
}

const LOCATION_REASONS = {
  git: ['path-of-git', 'belongs to git'],
  worktree: ['path-in-worktree', 'is in another worktree'],
  outside: ['path-outside', 'is outside the repository'],
} as const

function verdictReason(verdict: PathVerdict, path: string, intent: string): Reason | null {
  const name = printable(path)
  switch (verdict.kind) {
    case 'owned':
      return null
    case 'outside':
    case 'excluded':
      return scopeViolation(path, intent)
    case 'governance':
      return {
        ...pathReason('governance-plane', path, `${name} is a governance file: no intent's scope includes it.`),
        ...{ intent, hint: 'Ask a person to change it, with `request_approval`.' },
      }
    case 'forbidden':
      return pathReason('path-forbidden', path, `${name} is forbidden to every intent (${printable(verdict.by)}).`)
    case 'ignored':
      return pathReason('path-ignored', path, `${name} is excluded from every intent by .intentignore.`)
    case 'malformed':
      return pathReason('path-malformed', path, `${name} can't be judged as a path: ${verdict.why}.`)
  }
}

function scopeViolation(path: string, intent: string): Reason {
  const message = `Scope Violation: ${intent} is not authorized to edit ${printable(path)}. Request scope expansion.`
  const hint =
    'Call `request_scope_expansion` with this path and the reason, or stay in the owned scope of your intent context.'
  return { code: 'scope-violation', message, path, intent, hint }
}

function staleFile(path: string, intent: string): Reason {
  const message = `Stale File: ${printable(path)} has changed since this session last read or wrote it.`
  return {
    code: 'stale-file',
    message,
    path,
    intent,
    hint: 'Read the file again, and base the change on its current content.',
  }
}

function pathReason(code: Reason['code'], path: string, message: string): Reason {
  return { code, message, path, intent: null, hint: 'Work on files in the owned scope, or ask a person.' }
}

/** Where a target really is: `path` is relative to the worktree for `inside`, else absolute. */
export type TargetLocation =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'git'; readonly path: string }
  | { readonly kind: 'worktree'; readonly path: string }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'nowhere'; readonly why: string }

/** The facts of one target. It has several locations when links are in its path: its own name, and where they lead. */
export type TargetFact = {
  readonly spelling: string
  readonly locations: readonly TargetLocation[]
  /** True when the call only takes the name away. */
  readonly removes?: boolean
  /** True when the call makes a folder there. */
  readonly makesFolder?: boolean
  /** The blob oid of the current file; null when there is no file. */
  readonly currentOid: string | null
  /** For a folder: the same for each path below it that the session knows. */
  readonly currentOidsBelow?: ReadonlyMap<string, string | null>
}
