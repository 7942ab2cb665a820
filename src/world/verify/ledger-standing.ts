import { type ChainHead, chainFollower, goneLedger, splitLedger } from '../../core/ledger/chain.ts'
import type { Finding } from '../../core/base/finding.ts'
import { readLedger } from '../../core/ledger/read-ledger.ts'
import { readChainHead } from '../ledger/append-records.ts'
import { readFirstRecord } from '../ledger/first-record.ts'
import { locateLedger } from '../ledger/locate-ledger.ts'
import { loadCheckpoint } from '../recording/observation/checkpoint.ts'
import { plural } from '../../core/base/printable.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** What the names of a ledger show, without its content. */
type LedgerStanding = {
  readonly head: ChainHead | null
  /** True when there was a ledger, and neither name leads to a file. */
  readonly isGone: boolean
  readonly findings: readonly Finding[]
}

/** Finds a ledger that is gone, or of which there are two. */
export async function ledgerStanding(workspace: Workspace): Promise<LedgerStanding> {
  const head = await readChainHead(workspace)
  const { state } = await locateLedger(workspace)
  const lost = state === 'absent' ? await lostContent(workspace, head) : null
  const split = state === 'split' ? [splitLedger(layoutOf(workspace).keptLedger)] : []
  return { head, isGone: lost !== null, findings: lost === null ? split : [goneLedger(lost)] }
}

/** What a ledger had that is not there; null when nothing shows that there was one. */
async function lostContent(workspace: Workspace, head: ChainHead | null): Promise<string | null> {
  if (head) return plural(head.seq + 1, 'record')
  const bytes = (await loadCheckpoint(workspace))?.state.ledgerBytes ?? 0
  return bytes > 0 ? plural(bytes, 'byte') : null
}

/** What is wrong with a ledger by its names, its first record and its end. `inspectLedger` reads all of it. */
export async function ledgerAlarm(workspace: Workspace): Promise<readonly Finding[]> {
  const { head, isGone, findings } = await ledgerStanding(workspace)
  if (isGone) return findings
  const { follow, end } = chainFollower()
  const record = await readFirstRecord(workspace)
  const beginning = record ? follow({ line: 1, text: '', record }) : []
  const gap = beginning.filter(it => it.rule === 'ledger-gap')
  const last = await lastRecords(workspace)
  // Between the first record and the last ones, nothing is judged.
  for (const entry of last.entries) follow(entry)
  const isEndKnown = last.isWhole || last.entries.some(it => it.record.metadata['dev.kotef'].writer === head?.writer)
  return [...findings, ...gap, ...(isEndKnown ? end(head) : [])]
}

async function lastRecords(workspace: Workspace) {
  const { path } = await locateLedger(workspace)
  const end = await workspace.files.readEnd(path, END_BYTES_MAX)
  const { entries } = readLedger(end?.bytes.toString('utf8') ?? '', 2)
  return { entries, isWhole: (end?.size ?? 0) <= END_BYTES_MAX }
}

// Most ledgers end with many records of one writer, the daemon.
const END_BYTES_MAX = 65_536
