import type { PathChange } from '../git/changes.ts'
import type { PersonProof } from '../ledger/event.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { isIntact } from '../ledger/seal.ts'
import { objectOrNull, parseObject } from '../base/payload.ts'
import { type ChangesToSort, sortChanges } from './commit-facts.ts'

/** Changes of governance files that a person reviewed and approved, and the commit that they are made on. */
export type Approval = {
  /** Null while HEAD is unborn. */
  readonly head: string | null
  /** ISO 8601. */
  readonly at: string
  readonly changes: readonly PathChange[]
  /** Whether it is proved that a person approved them. */
  readonly person: PersonProof
}

/** The changes of governance files, and of what tools read as settings, which only a person may make. */
export function governanceFilesIn(facts: ChangesToSort): PathChange[] {
  const { governanceFiles, settings } = sortChanges(facts)
  const persons = new Set([...governanceFiles, ...settings])
  return facts.changes.filter(it => persons.has(it.path))
}

/** True when exactly this change was approved, on top of this commit. */
export function isApproved(change: PathChange, head: string | null, all: readonly Approval[]): boolean {
  return approvalOf(change, head, all) !== null
}

/** Whether a person is proved to have approved exactly this change, on top of this commit; null without approval. */
export function approvalOf(
  { path, before, after }: PathChange,
  head: string | null,
  all: readonly Approval[],
): PersonProof | null {
  const isOfChange = (it: PathChange) => it.path === path && isSameEnd(it.before, before) && isSameEnd(it.after, after)
  const found = all.filter(it => it.head === head && it.changes.some(isOfChange))
  return (found.find(it => it.person === 'proved') ?? found[0])?.person ?? null
}

/** True when the content after this change was approved, on top of any commit: it may have been rebased since. */
export function isApprovedAnywhere({ path, after }: PathChange, all: readonly Approval[]): boolean {
  return all.flatMap(it => it.changes).some(it => it.path === path && isSameEnd(it.after, after))
}

/** The approvals in the text of `approved.json`; without those that are damaged. */
export function parseApprovals(text: string): Approval[] {
  const { version, approvals } = parseObject(text) ?? {}
  return version === 1 && Array.isArray(approvals)
    ? approvals.filter(isApproval).map(it => ({ ...it, person: proofIn(it.person) }))
    : []
}

/** Whether a person is proved, by a field of an approval or of an event; older ones have none. */
export function proofIn(field: unknown): PersonProof {
  return field === 'proved' ? 'proved' : 'unproved'
}

/**
 * Those of some saved approvals that the end of the ledger has as well, in records that nobody has edited: a file
 * alone, which any program can write, approves nothing.
 */
export function recordedApprovals(saved: readonly Approval[], ledgerEnd: string): Approval[] {
  const recorded = ledgerEnd.split('\n').flatMap(approvalsInLine)
  return recorded.filter(it => it.changes.every(change => isApproved(change, it.head, saved)))
}

function approvalsInLine(line: string): Approval[] {
  const record = line.includes('"event":"approved"') ? (parseObject(line) as TraceRecord | null) : null
  const event = record?.metadata?.['dev.kotef']
  if (!record || event?.event !== 'approved' || !isIntact(line, record)) return []
  const { parent: head, changes, person } = event
  return [{ head, at: record.timestamp, changes, person: proofIn(person) }].filter(isApproval)
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
