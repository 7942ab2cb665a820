import type { PathChange } from '../git/changes.ts'
import { sortChanges, type StagedFacts } from './commit-facts.ts'

/** What a person looked at and approved: changes of the governance plane, and the commit that they come on top of. */
export type Approval = {
  /** Null while HEAD is unborn. */
  readonly head: string | null
  /** ISO 8601. */
  readonly at: string
  readonly changes: readonly PathChange[]
}

/** The changes that only a person may make. */
export function governanceFilesIn(facts: Pick<StagedFacts, 'changes' | 'policy' | 'registryMoves'>): PathChange[] {
  const governanceFiles = new Set(sortChanges(facts).governanceFiles)
  return facts.changes.filter(it => governanceFiles.has(it.path))
}

/** True when a person approved just this change, byte for byte, on top of this commit. */
export function isApproved(
  { path, before, after }: PathChange,
  head: string | null,
  all: readonly Approval[],
): boolean {
  const approved = all.filter(it => it.head === head).flatMap(it => it.changes)
  return approved.some(it => it.path === path && isSameEnd(it.before, before) && isSameEnd(it.after, after))
}

/** True when a person approved what this change leaves behind, wherever that was: it may have been rebased since. */
export function isApprovedAnywhere({ path, after }: PathChange, all: readonly Approval[]): boolean {
  return all.flatMap(it => it.changes).some(it => it.path === path && isSameEnd(it.after, after))
}

/** The approvals in the text of `approved.json`; none when it is damaged, for then nobody knows what was approved. */
export function parseApprovals(text: string): Approval[] {
  try {
    const { version, approvals } = JSON.parse(text) as { version?: unknown; approvals?: unknown }
    return version === 1 && Array.isArray(approvals) ? approvals.filter(isApproval) : []
  } catch {
    return []
  }
}

/** The text of `approved.json`: the newest approvals, since a commit uses up its own by moving HEAD. */
export function formatApprovals(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 1, approvals: approvals.slice(-APPROVALS_MAX) })}\n`
}

const APPROVALS_MAX = 20

type ChangeEnd = PathChange['before']

function isSameEnd(one: ChangeEnd, other: ChangeEnd): boolean {
  return one === null || other === null ? one === other : one.mode === other.mode && one.oid === other.oid
}

function isApproval(it: unknown): it is Approval {
  if (!isPlainObject(it) || !Array.isArray(it['changes'])) return false
  return (it['head'] === null || typeof it['head'] === 'string') && it['changes'].every(isChange)
}

function isChange(it: unknown): it is PathChange {
  return isPlainObject(it) && typeof it['path'] === 'string' && isEnd(it['before']) && isEnd(it['after'])
}

function isEnd(it: unknown): it is ChangeEnd {
  return it === null || (isPlainObject(it) && typeof it['mode'] === 'string' && typeof it['oid'] === 'string')
}

function isPlainObject(it: unknown): it is Readonly<Record<string, unknown>> {
  return typeof it === 'object' && it !== null
}
