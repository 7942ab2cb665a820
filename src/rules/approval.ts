import type { PathChange } from '../git/changes.ts'
import { objectOrNull, parseObject } from '../text/payload.ts'
import { type ChangesToSort, sortChanges } from './commit-facts.ts'

/** Changes of governance files that a person reviewed and approved, and the commit that they are made on. */
export type Approval = {
  /** Null while HEAD is unborn. */
  readonly head: string | null
  /** ISO 8601. */
  readonly at: string
  readonly changes: readonly PathChange[]
}

/** The changes of governance files, and of what tools read as settings, which only a person may make. */
export function governanceFilesIn(facts: ChangesToSort): PathChange[] {
  const { governanceFiles, settings } = sortChanges(facts)
  const persons = new Set([...governanceFiles, ...settings])
  return facts.changes.filter(it => persons.has(it.path))
}

/** True when a person approved exactly this change, on top of this commit. */
export function isApproved(
  { path, before, after }: PathChange,
  head: string | null,
  all: readonly Approval[],
): boolean {
  const approved = all.filter(it => it.head === head).flatMap(it => it.changes)
  return approved.some(it => it.path === path && isSameEnd(it.before, before) && isSameEnd(it.after, after))
}

/** True when a person approved the content after this change, on top of any commit: it may have been rebased since. */
export function isApprovedAnywhere({ path, after }: PathChange, all: readonly Approval[]): boolean {
  return all.flatMap(it => it.changes).some(it => it.path === path && isSameEnd(it.after, after))
}

/** The approvals in the text of `approved.json`; without those that are damaged. */
export function parseApprovals(text: string): Approval[] {
  const { version, approvals } = parseObject(text) ?? {}
  return version === 1 && Array.isArray(approvals) ? approvals.filter(isApproval) : []
}

/** The text of `approved.json`: only the newest approvals, because an approval ends when HEAD moves. */
export function formatApprovals(approvals: readonly Approval[]): string {
  return `${JSON.stringify({ version: 1, approvals: approvals.slice(-APPROVALS_MAX) })}\n`
}

const APPROVALS_MAX = 20

type ChangeEnd = PathChange['before']

function isSameEnd(one: ChangeEnd, other: ChangeEnd): boolean {
  return one === null || other === null ? one === other : one.mode === other.mode && one.oid === other.oid
}

function isApproval(value: unknown): value is Approval {
  const { head, changes } = objectOrNull(value) ?? {}
  return (head === null || typeof head === 'string') && Array.isArray(changes) && changes.every(isChange)
}

function isChange(value: unknown): value is PathChange {
  const { path, before, after } = objectOrNull(value) ?? {}
  return typeof path === 'string' && isEnd(before) && isEnd(after)
}

function isEnd(value: unknown): value is ChangeEnd {
  const { mode, oid } = objectOrNull(value) ?? {}
  return value === null || (typeof mode === 'string' && typeof oid === 'string')
}
