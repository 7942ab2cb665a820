import { join } from 'node:path'
import type { Content } from '../attribution/judge-write.ts'
import { type StatusEntry, statusAndIgnored } from '../diff/status.ts'
import { type Standing, standingAt } from '../io/worktree.ts'
import type { Draft } from '../ledger/draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import {
  cursorOf,
  freshMemory,
  keepStaged,
  type Known,
  loadMemory,
  logSize,
  type Memory,
  remember,
  saveCursor,
} from './memory.ts'
import { readings } from '../workspace/ledger.ts'
import { isOwnWrite } from '../workspace/own-writes.ts'
import { record } from '../workspace/record.ts'
import { logWhen } from './head-log.ts'
import type { Looked } from './period.ts'
import { recall } from './recall.ts'
import { strayAmong } from './reconcile.ts'
import { liveSessions } from '../workspace/sessions.ts'
import { keepSnapshot } from './snapshots.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** Where to start from: what is known, and which paths changed while nobody was watching. */
type Baseline = {
  readonly memory: Memory
  /** Paths that changed while nobody watched: to be recorded as catch-up. */
  readonly missed: readonly string[]
  /** How many changed files stood here before kotef ever looked; nobody can say who wrote them. */
  readonly preexisting: number
  /** When it was last written down what is known (ISO 8601); null when it never was. */
  readonly since: string | null
}

/** A look at the whole tree, by git. */
export type View = {
  /** When it was begun. */
  readonly looked: Looked
  status(): Promise<readonly StatusEntry[]>
  /** The paths that gitignore ignores. */
  ignored(): Promise<readonly string[]>
}

/** Begins to look at the whole tree. */
export async function lookAround(workspace: Workspace): Promise<View> {
  const looked = { at: workspace.clock.now(), log: await logSize(workspace) }
  const asked = workspace.git.ask(statusAndIgnored)
  // Whoever wants to know what git said is told if it failed.
  asked.catch(() => {})
  return { looked, status: async () => (await asked).status, ignored: async () => (await asked).ignored }
}

type Looking = { readonly view: View; readonly textBytesMax: number }

/** Takes up for a daemon; the ledger says that watching begins, and since when nobody watched. */
export async function takeUp(
  workspace: Workspace,
  memory: Memory,
  looking: Looking,
): Promise<Pick<Baseline, 'missed' | 'preexisting'>> {
  const baseline = await takeStock(workspace, memory, looking)
  await announceStart(workspace, baseline)
  return baseline
}

/**
 * Takes up where whoever looked last left off or, the first time, with what stands in the tree. What a memory is given
 * is written down.
 */
export async function takeStock(
  workspace: Workspace,
  memory: Memory,
  looking: Looking,
): Promise<Omit<Baseline, 'memory'>> {
  const { memory: taken, ...baseline } = await takeBaseline(workspace, looking)
  Object.assign(memory, taken, { begunAt: looking.view.looked.at })
  // Before anything is recorded: what the ledger has beyond this is known to the next one, whenever this one dies.
  await saveCursor(workspace, await cursorOf(workspace, memory))
  return baseline
}

async function takeBaseline(workspace: Workspace, { view, textBytesMax }: Looking): Promise<Baseline> {
  const [last, status] = await Promise.all([loadMemory(workspace), view.status()])
  const baseline = last
    ? await nextBaseline(workspace, last, { view, status })
    : await firstBaseline(workspace, { status, textBytesMax })
  baseline.memory.staged.clear()
  for (const { path, kind } of status) if (kind === 'staged' || kind === 'dirty') keepStaged(baseline.memory, path)
  return baseline
}

type Last = NonNullable<Awaited<ReturnType<typeof loadMemory>>>
type Seen = { readonly view: View; readonly status: readonly StatusEntry[] }

async function nextBaseline(workspace: Workspace, last: Last, { view, status }: Seen): Promise<Baseline> {
  const heads = await replay(workspace, last.memory)
  await recall(workspace, last.memory, { head: last.head, heads, status })
  const missed = await strayAmong(workspace, last.memory, status)
  sawAll(last.memory, { looked: view.looked, except: new Set(missed) })
  return { memory: last.memory, missed, preexisting: 0, since: last.savedAt }
}

/** All paths were seen to be as they were known, but for some. */
function sawAll({ known, period }: Memory, { looked, except }: { looked: Looked; except: ReadonlySet<string> }): void {
  for (const [path, it] of known) if (!except.has(path)) known.set(path, { ...it, at: looked.at })
  period.lookAll(looked, except)
}

async function announceStart(workspace: Workspace, { since, preexisting }: Omit<Baseline, 'memory'>): Promise<void> {
  const { pid } = workspace.clock
  const gap: Draft[] = since === null ? [] : [{ event: { event: 'daemon-gap', since } }]
  await record(workspace, [...gap, { event: { event: 'daemon-started', pid, preexisting } }])
}

// What was written since a session began is that session's even if the daemon came later; older files are taken as they
// are. What the ledger tells of is known: then only the notes beside it were lost.
async function firstBaseline(
  workspace: Workspace,
  { status, textBytesMax }: { status: readonly StatusEntry[]; textBytesMax: number },
): Promise<Baseline> {
  const memory = await freshMemory(workspace)
  const stray = await strayAmong(workspace, memory, status)
  const recorded = await lastTold(workspace, new Set(stray))
  const since = Math.min(...(await liveSessions(workspace)).map(it => Date.parse(it.claimedAt)))
  const missed: string[] = []
  let preexisting = 0
  for (const path of stray) {
    const found = await standingAt(join(workspace.root, path))
    const standing = found && 'unseen' in found ? null : found
    const last = recorded.get(path)
    if (last !== undefined) memory.known.set(path, unseen(last))
    const traced = standing !== null && (isSame(standing, last) || (await isOwnWrite(workspace, path, standing.oid)))
    if (!standing || (!traced && (last !== undefined || standing.modifiedAt >= since))) {
      missed.push(path)
      continue
    }
    const { oid, mode, bytes, signature } = standing
    if (!traced) preexisting++
    if (bytes && bytes.length <= textBytesMax) await keepSnapshot(workspace, oid, bytes)
    remember(memory, path, { content: { oid, mode }, signature, traced, at: workspace.clock.now() })
  }
  return { memory, missed, preexisting, since: null }
}

/**
 * Folds what the ledger says since the cursor was written: a killed daemon had recorded more than it noted. Answers
 * where HEAD was when each path was recorded, the last one last.
 */
async function replay(workspace: Workspace, memory: Memory): Promise<Map<string, string>> {
  const size = await ledgerBytes(workspace)
  // A ledger that has become shorter is not the one that the cursor was written for.
  const from = size < memory.ledgerBytes ? 0 : memory.ledgerBytes
  const heads = new Map<string, string>()
  for await (const [path, content, head] of contentsFrom(workspace, from)) {
    memory.period.keep(path, content?.oid ?? null)
    memory.known.set(path, unseen(content))
    heads.delete(path)
    if (head !== undefined) heads.set(path, head)
  }
  memory.ledgerBytes = size
  const logAt = await logWhen(workspace)
  // Whoever recorded a path had looked at it: what HEAD did before that is not what came after.
  for (const [path, head] of heads) {
    const looked = memory.period.looked(path)
    memory.period.look(path, { at: looked.at, log: logAt(head, looked) })
  }
  return heads
}

function unseen(content: Content): Known {
  return { content, signature: null, traced: true, at: 0 }
}

function isSame(standing: Standing, content: Content | undefined): boolean {
  return standing.oid === content?.oid && standing.mode === content.mode
}

/** What the ledger says that paths hold. */
async function lastTold(workspace: Workspace, paths: ReadonlySet<string>): Promise<Map<string, Content>> {
  const told = new Map<string, Content>()
  if (paths.size === 0) return told
  for await (const [path, content] of contentsFrom(workspace, 0)) if (paths.has(path)) told.set(path, content)
  return told
}

/** What each record of the ledger from a byte on says that a path holds since, oldest first. */
async function* contentsFrom(workspace: Workspace, byte: number): AsyncGenerator<Told> {
  for await (const { entries } of readings(workspace, byte)) yield* entries.flatMap(it => contentsIn(it.record))
}

type Told = [path: string, content: Content, head: string | undefined]

function contentsIn({ files, vcs }: TraceRecord): Told[] {
  return files.flatMap(({ path, kotef }) => {
    const from: Told[] = kotef.from === undefined ? [] : [[kotef.from, null, vcs?.revision]]
    const content = kotef.after === null ? null : { oid: kotef.after, mode: kotef.mode?.after ?? '100644' }
    return [...from, [path, content, vcs?.revision]]
  })
}

async function ledgerBytes(workspace: Workspace): Promise<number> {
  return (await workspace.files.readEnd(placesOf(workspace).ledger, 0))?.size ?? 0
}
