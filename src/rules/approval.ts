import type { Change } from '../diff/staged.ts'
import { sortChanges, type StagedFacts } from './facts.ts'

/** What a person looked at and approved: changes of the governance plane, and the commit that they come on top of. */
export type Approval = {
  /** Null while HEAD is unborn. */
  readonly head: string | null
  /** ISO 8601. */
  readonly at: string
  readonly changes: readonly Change[]
}

/** The changes that only a person may make. */
export function planeOf(facts: Pick<StagedFacts, 'changes' | 'policy' | 'registryMoves'>): Change[] {
  const plane = new Set(sortChanges(facts).plane)
  return facts.changes.filter(it => plane.has(it.path))
}

/** True when a person approved just this change, byte for byte, on top of this commit. */
export function isApproved({ path, before, after }: Change, head: string | null, all: readonly Approval[]): boolean {
  const approved = all.filter(it => it.head === head).flatMap(it => it.changes)
  return approved.some(it => it.path === path && same(it.before, before) && same(it.after, after))
}

/** True when a person approved what this change leaves behind, wherever that was: it may have been rebased since. */
export function isApprovedElsewhere({ path, after }: Change, all: readonly Approval[]): boolean {
  return all.flatMap(it => it.changes).some(it => it.path === path && same(it.after, after))
}

/** The approvals in the text of `approved.json`; none when it is damaged, for then nobody knows what was approved. */
export function approvalsIn(text: string): Approval[] {
  try {
    const { version, approvals } = JSON.parse(text) as { version?: unknown; approvals?: unknown }
    return version === 1 && Array.isArray(approvals) ? approvals.filter(isApproval) : []
  } catch {
    return []
  }
}

/** The text of `approved.json`: the newest approvals, since a commit uses up its own by moving HEAD. */
export function approvalsText(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 1, approvals: approvals.slice(-APPROVALS_MAX) })}\n`
}

const APPROVALS_MAX = 20

type End = Change['before']

function same(one: End, other: End): boolean {
  return one === null || other === null ? one === other : one.mode === other.mode && one.oid === other.oid
}

function isApproval(it: unknown): it is Approval {
  if (!isObject(it) || !Array.isArray(it['changes'])) return false
  return (it['head'] === null || typeof it['head'] === 'string') && it['changes'].every(isChange)
}

function isChange(it: unknown): it is Change {
  return isObject(it) && typeof it['path'] === 'string' && isEnd(it['before']) && isEnd(it['after'])
}

function isEnd(it: unknown): it is End {
  return it === null || (isObject(it) && typeof it['mode'] === 'string' && typeof it['oid'] === 'string')
}

function isObject(it: unknown): it is Readonly<Record<string, unknown>> {
  return typeof it === 'object' && it !== null
}
