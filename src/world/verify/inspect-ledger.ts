import type { Finding, Problem } from '../../core/base/finding.ts'
import { type Anchor, anchorFollower } from '../../core/ledger/anchors.ts'
import {
  chainFollower,
  type ContinuityBreak,
  continuityFollower,
  type RecordFollower,
} from '../../core/ledger/chain.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { ledgerHashes, type LedgerStretch, readLedgerInParts } from '../ledger/read-in-parts.ts'
import { type Approval, proofIn } from '../../core/rules/approval.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { ledgerStanding } from './ledger-standing.ts'

/** What the lines of a ledger show. */
export type InspectedLedger = {
  readonly records: number
  readonly problems: readonly Problem[]
  readonly broken: readonly Finding[]
  readonly breaks: readonly ContinuityBreak[]
  readonly approvals: readonly Approval[]
}

/** Reads all of this worktree's ledger, and compares it with the heads that commits have. */
export async function inspectLedger(workspace: Workspace, anchors: readonly Anchor[] = []): Promise<InspectedLedger> {
  // The head is read before the ledger: records appended meanwhile must not look like a missing end.
  const standing = await ledgerStanding(workspace)
  const lines = new InspectedLines(anchors)
  for await (const stretch of readLedgerInParts(workspace)) lines.add(stretch)
  return lines.result(standing)
}

/** Inspects a ledger that grows. */
export type LedgerInspector = {
  /** As `inspectLedger`. Of lines that are what they were at the last call, only the hash is read. */
  inspect(progress: (share: number) => void): Promise<InspectedLedger>
}

/** Opens an inspector of this worktree's ledger. */
export function openLedgerInspector(workspace: Workspace): LedgerInspector {
  let known = nothingKnown()
  return {
    async inspect(progress) {
      const standing = await ledgerStanding(workspace)
      const { lines, end: from, hash: hashBefore } = known
      let end: number | null = from
      for await (const stretch of readLedgerInParts(workspace, from, lines)) {
        lines.add(stretch)
        end = stretch.end
        progress((end ?? stretch.size) / stretch.size)
      }
      const [before = null, hash = null] = end === null ? [] : await ledgerHashes(workspace, [from, end])
      const isAsBefore = hash !== null && (hashBefore === null || hashBefore === before)
      known = isAsBefore ? { lines, end: end ?? 0, hash } : nothingKnown()
      // Else a line is half written, or an earlier line is another one by now.
      return isAsBefore ? lines.result(standing) : inspectLedger(workspace)
    },
  }
}

type KnownLines = { readonly lines: InspectedLines; readonly end: number; readonly hash: string | null }

function nothingKnown(): KnownLines {
  return { lines: new InspectedLines([]), end: 0, hash: null }
}

/** What was found in the lines so far. */
class InspectedLines {
  readonly ids = new Set<string>()
  lines = 0
  readonly #chains: readonly RecordFollower[]
  readonly #contents = continuityFollower()
  readonly #problems: Problem[] = []
  readonly #broken: Finding[] = []
  readonly #breaks: ContinuityBreak[] = []
  readonly #approvals: Approval[] = []
  #records = 0

  constructor(anchors: readonly Anchor[]) {
    this.#chains = [chainFollower(), anchorFollower(anchors)]
  }

  add({ entries, problems, lines }: LedgerStretch): void {
    this.lines = lines
    this.#records += entries.length
    for (const each of problems) this.#problems.push(each)
    for (const entry of entries) {
      for (const each of this.#chains.flatMap(it => it.follow(entry))) this.#broken.push(each)
      for (const each of this.#contents(entry)) this.#breaks.push(each)
      for (const each of approvalsInRecord(entry.record)) this.#approvals.push(each)
    }
  }

  result({ head, isGone, findings }: Awaited<ReturnType<typeof ledgerStanding>>): InspectedLedger {
    // One is enough: both say that the ledger is shorter than it was.
    const end = isGone ? [] : (this.#chains.map(it => it.end(head)).find(it => it.length > 0) ?? [])
    return {
      records: this.#records,
      problems: [...this.#problems],
      broken: [...findings, ...this.#broken, ...end],
      breaks: [...this.#breaks],
      approvals: [...this.#approvals],
    }
  }
}

/** The approval that a record has, if it has one. */
export function approvalsInRecord({ timestamp, metadata: { 'dev.kotef': event } }: TraceRecord): Approval[] {
  return event.event === 'approved'
    ? [{ head: event.parent, at: timestamp, changes: event.changes, person: proofIn(event.person) }]
    : []
}
