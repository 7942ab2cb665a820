import type { Finding } from '../base/finding.ts'
import type { LedgerEntry } from './read-ledger.ts'
import type { ClosedLedger } from './event.ts'
import type { ChainLink, TraceRecord } from './record.ts'
import { isIntact } from './seal.ts'
import { LEDGER_PATH } from '../base/governance-files.ts'

/** The last link of a writer's chain, saved beside the ledger. */
export type ChainHead = Pick<ChainLink, 'writer' | 'seq' | 'hash'>

/** Parses a saved head; null for a damaged one. */
export function parseChainHead(text: string): ChainHead | null {
  const [, writer, seq, hash] = SAVED_HEAD.exec(text) ?? []
  return writer && hash ? { writer, seq: Number(seq), hash } : null
}

const SAVED_HEAD = /"writer":"([^"]+)","seq":(\d+),"hash":"([0-9a-f]{64})"/

/** Takes the records of a ledger in order; returns the findings. After its end more may follow. */
export type RecordFollower = {
  readonly follow: (entry: LedgerEntry) => Finding[]
  /** The findings where the ledger ends, by the saved head of its writer. */
  readonly end: (head: ChainHead | null) => Finding[]
}

/**
 * Follows every writer's chain and finds edited, removed and moved lines and, if the head is known, a missing end. This
 * is evidence and not proof: a person who can write ledger and head can write a new chain.
 */
export function chainFollower(): RecordFollower {
  const last = new Map<string, ChainLink>()
  const closedWriters = new Set<string>()
  return {
    follow(entry) {
      const own = entry.record.metadata['dev.kotef']
      const before = last.get(own.writer)
      const closed = closedBefore(entry)
      if (closed) closedWriters.add(closed.writer)
      last.set(own.writer, own)
      return [...editedLine(entry), ...brokenLink(entry, own, before)]
    },
    // A crash may have left the head of the closed ledger.
    end: head => (closedWriters.has(head?.writer ?? '') ? [] : missingEnd(last, head)),
  }
}

/** The head of the ledger that was closed before this one; null unless this is the first record, and says so. */
export function closedBefore({ line, record }: Pick<LedgerEntry, 'line' | 'record'>): ChainHead | null {
  return line === 1 ? (closedLedgerOf(record)?.head ?? null) : null
}

/** What a record says of the ledger that was closed before it; null when it says nothing, or is malformed. */
export function closedLedgerOf({ metadata }: Pick<TraceRecord, 'metadata'>): ClosedLedger | null {
  const own = metadata['dev.kotef']
  if (own.event !== 'ledger-closed') return null
  const { files, records } = (own.closed ?? {}) as Partial<ClosedLedger>
  const isSound = typeof records === 'number' && Array.isArray(files) && files.every(it => typeof it?.name === 'string')
  return isSound ? own.closed : null
}

function editedLine({ line, text, record }: LedgerEntry): Finding[] {
  return isIntact(text, record) ? [] : [chainFinding('ledger-edited', `line ${line} is not what was written`)]
}

function brokenLink({ line }: LedgerEntry, own: ChainLink, before: ChainLink | undefined): Finding[] {
  if (own.seq === (before?.seq ?? -1) + 1 && own.prev === (before?.hash ?? null)) return []
  const expected = (before?.seq ?? -1) + 1
  if (own.seq > expected)
    return [chainFinding('ledger-gap', `line ${line}: records ${expected} to ${own.seq - 1} are missing`)]
  if (own.seq < expected)
    return [chainFinding('ledger-order', `line ${line}: record ${own.seq} comes after ${expected - 1}`)]
  return [chainFinding('ledger-link', `line ${line} does not follow the record before it`)]
}

function missingEnd(last: ReadonlyMap<string, ChainLink>, head: ChainHead | null): Finding[] {
  const end = head && last.get(head.writer)
  if (!head || (end && end.seq >= head.seq)) return []
  const from = end ? end.seq + 1 : 0
  return [chainFinding('ledger-truncated', `the end is missing: records ${from} to ${head.seq}`)]
}

/** The finding of a ledger that is not what kotef wrote; `what` says how it shows. */
export function chainFinding(rule: string, what: string): Finding {
  return ledgerFinding(rule, `The ledger was changed by something other than kotef: ${what}.`, RESTORE)
}

/** The finding of a ledger that is gone. `lost` says how much it had. */
export function goneLedger(lost: string): Finding {
  const notes = 'Notes still have the authors of committed lines (`kotef sync`).'
  return ledgerFinding('ledger-truncated', `The ledger is gone: it had ${lost}. ${notes}`, RESTORE)
}

/** The finding of a ledger whose names lead to two files. `kept` is the path of kotef's own file. */
export function splitLedger(kept: string): Finding {
  const message = `Another program replaced the ledger in the worktree, and kotef goes on with ${kept}`
  return ledgerFinding('ledger-split', message, `Go back to kotef's own with \`rm ${LEDGER_PATH}\`, or set both aside`)
}

function ledgerFinding(rule: string, message: string, way: string): Finding {
  return { rule, level: 'block', path: LEDGER_PATH, message, hint: `${way}: \`kotef trace close --reason 'why'\`` }
}

const RESTORE = 'Restore the file from a backup, or begin a new one'

/** A file whose content changed between two records without a record of the change. */
export type ContinuityBreak = {
  readonly path: string
  /** The line of the ledger where it shows. */
  readonly line: number
  readonly after: string | null
  readonly before: string | null
}

/**
 * Takes the records of a ledger in order; finds writes that began with another content than the one that the file's
 * previous record ended with (git may have changed it in between).
 */
export function continuityFollower(): (entry: LedgerEntry) => ContinuityBreak[] {
  const lastContents = new Map<string, string | null>()
  return ({ line, record }) =>
    record.files.flatMap(({ path, kotef }) => {
      const source = kotef.from ?? path
      const after = lastContents.get(source)
      if (kotef.from !== undefined) lastContents.set(kotef.from, null)
      lastContents.set(path, kotef.after)
      return after === undefined || after === kotef.before ? [] : [{ path, line, after, before: kotef.before }]
    })
}
