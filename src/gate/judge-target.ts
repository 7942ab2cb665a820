import { printable } from '../report/printable.ts'
import type { PathJudge } from '../scope/judge-path.ts'
import type { PolicyIntent, Verdict } from '../scope/policy.ts'
import type { Reason } from './reason.ts'
import type { Place, TargetFact } from './target.ts'

/** Whose authority targets are held to, and what the session knows of the files. */
export type Ground = {
  readonly intent: PolicyIntent
  readonly judge: PathJudge
  readonly seen: ReadonlyMap<string, string | null>
}

/** Why a target may not be written: at each of its places it must be the intent's own, and as the session knows it. */
export function judgeTarget({ given, places, now, below }: TargetFact, ground: Ground): Reason[] {
  const refused = places.map(it => ofPlace(it, given, ground)).find(it => it !== null)
  if (refused) return [refused]
  const nowAt = (path: string): string | null => below?.get(path) ?? now
  const isStale = (path: string): boolean => ground.seen.has(path) && ground.seen.get(path) !== nowAt(path)
  return places.some(it => it.kind === 'inside' && isStale(it.path)) ? [staleFile(given, ground.intent.id)] : []
}

function ofPlace(place: Place, given: string, { intent, judge }: Ground): Reason | null {
  if (place.kind === 'inside') return ofVerdict(judge(intent.owned_scope, place.path), place.path, intent.id)
  if (place.kind === 'nowhere')
    return refusal('path-malformed', given, `${printable(given)} is no path that can be judged: ${place.why}.`)
  const [code, words] = ELSEWHERE[place.kind]
  const way = given === place.path ? '' : ` (it leads to ${printable(place.path)})`
  return refusal(code, given, `${intent.id} is not authorized to edit ${printable(given)}: it ${words}${way}.`)
}

const ELSEWHERE = {
  git: ['path-of-git', "is git's own"],
  worktree: ['path-in-worktree', 'lies in another worktree'],
  outside: ['path-outside', 'lies outside of the repository'],
} as const

function ofVerdict(verdict: Verdict, path: string, intent: string): Reason | null {
  const name = printable(path)
  switch (verdict.kind) {
    case 'owned':
      return null
    case 'outside':
    case 'excluded':
      return outOfScope(path, intent)
    case 'governance':
      return {
        ...refusal('governance-plane', path, `${name} governs this repository, and no intent's scope reaches it.`),
        ...{ intent, hint: 'Ask a person to change it, with `request_approval`.' },
      }
    case 'forbidden':
      return refusal('path-forbidden', path, `${name} is forbidden to everybody (${printable(verdict.by)}).`)
    case 'ignored':
      return refusal('path-ignored', path, `${name} is kept from every intent by .intentignore.`)
    case 'malformed':
      return refusal('path-malformed', path, `${name} is no path that can be judged: ${verdict.why}.`)
  }
}

function outOfScope(path: string, intent: string): Reason {
  const message = `Scope Violation: ${intent} is not authorized to edit ${printable(path)}. Request scope expansion.`
  const hint =
    'Call `request_scope_expansion` with this path and the reason, or keep to the owned scope in your intent context.'
  return { code: 'scope-violation', message, path, intent, hint }
}

function staleFile(path: string, intent: string): Reason {
  const message = `Stale File: ${printable(path)} has changed since this session last read or wrote it.`
  return {
    code: 'stale-file',
    message,
    path,
    intent,
    hint: 'Read the file again, and make the change on what it says now.',
  }
}

function refusal(code: Reason['code'], path: string, message: string): Reason {
  return { code, message, path, intent: null, hint: 'Work on files of the owned scope, or ask a person.' }
}
