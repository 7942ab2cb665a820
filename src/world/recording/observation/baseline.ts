import { join } from 'node:path'
import { type GitStatusEntry, gitStatusWithIgnored } from '../../../core/git/status.ts'
import { type FileState, readFileState } from '../../io/files/file-state.ts'
import type { RecordDraft, TraceRecord } from '../../../core/ledger/record.ts'
import { checkpointPath, checkpointText, loadCheckpoint, saveCheckpoint } from './checkpoint.ts'
import {
  type Content,
  type EarlyIndex,
  freshState,
  setStaged,
  type PathState,
  reflogSize,
  type WorktreeState,
  setPath,
} from './worktree-state.ts'
import { readLedgerInParts } from '../../ledger/read-in-parts.ts'
import { isOwnWrite } from '../../io/worktree/own-writes.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { logSizeReader } from '../git-evidence/reflog.ts'
import type { ObservedAt } from '../git-evidence/epoch.ts'
import { rebuildBaseline } from '../git-evidence/rebuild-baseline.ts'
import { withHidden } from './full-status.ts'
import { followSettings } from './git-settings.ts'
import { divergentAmong } from './reconcile.ts'
import { liveSessions } from '../../intents/sessions/live-sessions.ts'
import { keepSnapshot } from './snapshots.ts'
import { FILE_CLOCK_TICK_MS } from '../../../core/base/thresholds.ts'
import { ledgerSize } from '../../ledger/open-ledger.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The state that observation starts from, and the paths that changed while no daemon ran. */
type Baseline = {
  readonly state: WorktreeState
  /** Paths that changed while no daemon ran: they are recorded as catch-up. */
  readonly missed: readonly string[]
  /** How many files had changed before kotef's first start; their authors are unknown. */
  readonly preexisting: number
  /** When the last checkpoint was saved (ISO 8601); null when there is none. */
  readonly since: string | null
}

/** One `git status` of the whole tree. */
export type WorktreeScan = {
  /** When the status was started. */
  readonly observedAt: ObservedAt
  status(): Promise<readonly GitStatusEntry[]>
  /** The paths that gitignore ignores. */
  ignored(): Promise<readonly string[]>
  /** Git's list of the index, if it was asked for with the status. */
  readonly index: EarlyIndex | null
}

/** A `git status` of the whole tree that was started before the worktree was known; null when git failed. */
export type PrefetchedScan = {
  /** In milliseconds since 1970. */
  readonly startedAt: number
  readonly answer: Promise<GitStatusAnswer | null>
  readonly index: EarlyIndex['bytes']
}

type GitStatusAnswer = ReturnType<typeof gitStatusWithIgnored.parse>

/** Starts a `git status` of the whole tree, unless one that was started a moment ago still counts. */
export async function scanWorktree(
  workspace: Workspace,
  prefetched: PrefetchedScan | null = null,
): Promise<WorktreeScan> {
  const early = prefetched && (await stillCounts(workspace, prefetched)) ? prefetched : null
  const observedAt = { at: early?.startedAt ?? workspace.clock.now(), log: await reflogSize(workspace) }
  const ask = () => workspace.git.ask(gitStatusWithIgnored)
  const status = early ? early.answer.then(it => it ?? ask()) : ask()
  // A failure reaches the callers of `status` and `ignored`; without this, it would end the process before they ask.
  status.catch(() => {})
  return {
    observedAt,
    status: async () => (await status).status,
    ignored: async () => (await status).ignored,
    index: early && { startedAt: early.startedAt, bytes: early.index },
  }
}

// It does not where git worked meanwhile, a daemon that ran until now saved what it knew, or this one changed what git
// ignores. Writes to the tree come after either status alike: the daemon looks once more when it is ready.
async function stillCounts(workspace: Workspace, { startedAt }: PrefetchedScan): Promise<boolean> {
  const { gitDir, commonDir, files } = workspace
  const paths = [join(gitDir, 'logs/HEAD'), join(gitDir, 'index'), join(commonDir, 'info/exclude')]
  const times = await Promise.all([...paths, checkpointPath(workspace)].map(it => files.modifiedAt(it)))
  return times.every(it => it === null || it < startedAt - FILE_CLOCK_TICK_MS)
}

type BaselineOptions = { readonly scan: WorktreeScan; readonly textBytesMax: number }

/** Loads the baseline for a daemon, and records in the ledger that watching begins and how long no daemon ran. */
export async function startDaemonBaseline(
  workspace: Workspace,
  state: WorktreeState,
  options: BaselineOptions,
): Promise<Pick<Baseline, 'missed' | 'preexisting'>> {
  const baseline = await loadBaseline(workspace, state, options)
  await recordStart(workspace, baseline)
  return baseline
}

/** Loads the last checkpoint, or takes the current worktree as the baseline on the first run, and saves the result. */
export async function loadBaseline(
  workspace: Workspace,
  state: WorktreeState,
  options: BaselineOptions,
): Promise<Omit<Baseline, 'state'>> {
  const { state: loaded, ...baseline } = await resumeOrCreateBaseline(workspace, options)
  Object.assign(state, loaded, { begunAt: options.scan.observedAt.at })
  // Saved before the first record: if this process is killed, the next one reads the later records from the ledger.
  await saveCheckpoint(workspace, await checkpointText(workspace, state))
  return baseline
}

async function resumeOrCreateBaseline(
  workspace: Workspace,
  { scan, textBytesMax }: BaselineOptions,
): Promise<Baseline> {
  const [last, status] = await Promise.all([loadCheckpoint(workspace, scan.index), scan.status()])
  const baseline = last
    ? await resumeBaseline(workspace, last, { scan, status })
    : await firstBaseline(workspace, { scan, status, textBytesMax })
  baseline.state.staged.clear()
  for (const { path, kind } of status) if (kind === 'staged' || kind === 'dirty') setStaged(baseline.state, path)
  return baseline
}

type LastCheckpoint = NonNullable<Awaited<ReturnType<typeof loadCheckpoint>>>
type ScanResult = { readonly scan: WorktreeScan; readonly status: readonly GitStatusEntry[] }

async function resumeBaseline(
  workspace: Workspace,
  last: LastCheckpoint,
  { scan, status }: ScanResult,
): Promise<Baseline> {
  const heads = await replay(workspace, last.state)
  await rebuildBaseline(workspace, last.state, { head: last.head, heads, status })
  await followSettings(workspace, last.state)
  const missed = await divergentAmong(workspace, last.state, await withHidden(workspace, last.state, status))
  markUnchanged(last.state, { observedAt: scan.observedAt, except: new Set(missed) })
  return { state: last.state, missed, preexisting: 0, since: last.savedAt }
}

/** Marks all paths as inspected and unchanged, except some. */
function markUnchanged(
  { paths, epoch }: WorktreeState,
  { observedAt, except }: { observedAt: ObservedAt; except: ReadonlySet<string> },
): void {
  for (const [path, it] of paths) if (!except.has(path)) paths.set(path, { ...it, at: observedAt.at })
  epoch.markAllInspected(observedAt, except)
}

async function recordStart(workspace: Workspace, { since, preexisting }: Omit<Baseline, 'state'>): Promise<void> {
  const { pid } = workspace.clock
  const gap: RecordDraft[] = since === null ? [] : [{ event: { event: 'daemon-gap', since } }]
  await appendRecords(workspace, [...gap, { event: { event: 'daemon-started', pid, preexisting } }])
}

// A file that changed since a session began is recorded, because the session may have written it before the daemon
// started; older files are the baseline. Files that the ledger knows are traced: only the checkpoint was lost.
async function firstBaseline(
  workspace: Workspace,
  { scan, status, textBytesMax }: ScanResult & { readonly textBytesMax: number },
): Promise<Baseline> {
  const state = await freshState(workspace, scan.index)
  await followSettings(workspace, state)
  const divergent = await divergentAmong(workspace, state, status)
  const recorded = await lastRecorded(workspace, new Set(divergent))
  const since = Math.min(...(await liveSessions(workspace)).map(it => Date.parse(it.claimedAt)))
  const missed: string[] = []
  let preexisting = 0
  for (const path of divergent) {
    const found = await readFileState(join(workspace.root, path))
    const file = found && 'unread' in found ? null : found
    const last = recorded.get(path)
    if (last !== undefined) state.paths.set(path, stateFromLedger(last))
    const indexed = state.index.get(path)
    const isOld = file !== null && (hasContent(file, last) || hasContent(file, indexed))
    const traced = isOld || (file !== null && (await isOwnWrite(workspace, path, file.oid)))
    if (!file || (!traced && (last !== undefined || file.modifiedAt >= since))) {
      missed.push(path)
      continue
    }
    const { oid, mode, bytes, signature } = file
    if (!traced) preexisting++
    if (bytes && bytes.length <= textBytesMax) await keepSnapshot(workspace, oid, bytes)
    setPath(state, path, { content: { oid, mode }, signature, traced, at: workspace.clock.now() })
  }
  return { state, missed, preexisting, since: null }
}

/**
 * Applies the ledger's records since the checkpoint: a killed daemon had recorded more than its checkpoint says.
 * Returns the commit that HEAD named when each path was last recorded, in the order of the records.
 */
async function replay(workspace: Workspace, state: WorktreeState): Promise<Map<string, string>> {
  const size = await ledgerSize(workspace)
  // A ledger that has become shorter is not the one of the checkpoint.
  const from = size < state.ledgerBytes ? 0 : state.ledgerBytes
  const heads = new Map<string, string>()
  for await (const [path, content, head] of recordedContents(workspace, from)) {
    state.epoch.markSeen(path, content?.oid ?? null)
    state.paths.set(path, stateFromLedger(content))
    heads.delete(path)
    if (head !== undefined) heads.set(path, head)
  }
  state.ledgerBytes = size
  const logAt = await logSizeReader(workspace)
  // A recorded path was inspected then: only later moves of HEAD can have changed it since.
  for (const [path, head] of heads) {
    const observedAt = state.epoch.inspectedAt(path)
    state.epoch.markInspected(path, { at: observedAt.at, log: logAt(head, observedAt) })
  }
  return heads
}

function stateFromLedger(content: Content): PathState {
  return { content, signature: null, traced: true, at: 0 }
}

function hasContent(file: FileState, content: Content | undefined): boolean {
  return file.oid === content?.oid && file.mode === content.mode
}

/** The content of each path by its last record. */
async function lastRecorded(workspace: Workspace, paths: ReadonlySet<string>): Promise<Map<string, Content>> {
  const contents = new Map<string, Content>()
  if (paths.size === 0) return contents
  for await (const [path, content] of recordedContents(workspace, 0)) if (paths.has(path)) contents.set(path, content)
  return contents
}

/** The content of each path by the ledger's records from a byte on, oldest first. */
async function* recordedContents(workspace: Workspace, byte: number): AsyncGenerator<RecordedContent> {
  for await (const { entries } of readLedgerInParts(workspace, byte))
    yield* entries.flatMap(it => contentsOfRecord(it.record))
}

type RecordedContent = [path: string, content: Content, head: string | undefined]

function contentsOfRecord({ files, vcs }: TraceRecord): RecordedContent[] {
  return files.flatMap(({ path, kotef }) => {
    const from: RecordedContent[] = kotef.from === undefined ? [] : [[kotef.from, null, vcs?.revision]]
    const content = kotef.after === null ? null : { oid: kotef.after, mode: kotef.mode?.after ?? '100644' }
    return [...from, [path, content, vcs?.revision]]
  })
}
