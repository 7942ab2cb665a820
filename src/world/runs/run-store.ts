import { fileNameFor } from '../io/files/file-name.ts'
import { withLock } from '../io/files/lock.ts'
import { locateWorktree } from '../io/git/read-git-dir.ts'
import type { WorkspaceWithoutGit } from '../ledger/locate-ledger.ts'
import { ledgerSize, openLedger } from '../ledger/open-ledger.ts'
import { readWholeLines } from '../ledger/read-whole-lines.ts'
import {
  applyEvents,
  type AgentRun,
  type AgentRunTerms,
  followLedger,
  readAgentRun,
  startedAgentRun,
} from '../../core/runs/agent-run.ts'
import { treeName, withName } from '../../core/runs/followed-tree.ts'
import { isStopped, type RunEnd } from '../../core/runs/run-state.ts'
import type { WaitingEvents } from '../../core/runs/waiting-events.ts'
import { RUN_LOCK_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { keepRecent, keepStop, lastCheckOf, readWaitingFile, runPath, stoppedEnd, takeWaiting } from './run-files.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../io/worktree/workspace.ts'

// Agents' hooks load this file with every tool call: it imports no more than they need.

/** A run that was brought up to date, and the commit and tree on which it is. */
export type CurrentRun = { readonly run: AgentRun; readonly head: string; readonly tree: string; readonly at: number }

/** Starts the run of a session that has just selected its intent. */
export async function startRun(workspace: WorkspaceWithoutGit, terms: AgentRunTerms): Promise<void> {
  const run = startedAgentRun(terms, { ledgerBytes: await ledgerSize(workspace), at: workspace.clock.now() })
  run.tree = withName(run.tree, headOf(workspace))
  run.turn = { ...run.turn, tree: treeName(run.tree, headOf(workspace)) }
  await takeWaiting(workspace, terms.session)
  await runsDir(workspace).put(runFileName(terms.session), run)
  await removeOldRuns(workspace)
}

// A run has some 50 KB, and sessions become many.
async function removeOldRuns(workspace: WorkspaceWithoutGit): Promise<void> {
  for (const { terms } of (await savedRuns(workspace)).runs.slice(RUNS_MAX)) {
    await runsDir(workspace).remove(runFileName(terms.session))
    await takeWaiting(workspace, terms.session)
    await keepStop(workspace, terms.session, null)
  }
}

const RUNS_MAX = 50

/**
 * Changes the run of a session in place, under its lock and up to date with the ledger; gives the result of `change`.
 * Null without a run, when the lock is busy for long, and when the disk fails: nobody waits for a count.
 */
export async function updateRun<T>(
  workspace: WorkspaceWithoutGit,
  session: string,
  change: (current: CurrentRun) => T,
): Promise<T | null> {
  const name = runFileName(session)
  const update = async (): Promise<T | null> => {
    const saved = await runsDir(workspace).get(name)
    if (!saved) return null
    // Before the ledger is read: a check that ends meanwhile is another one.
    const lastCheck = await lastCheckOf(workspace)
    const waiting = await takeWaiting(workspace, session)
    const result = change(await broughtUpToDate(workspace, saved, waiting))
    await runsDir(workspace).put(name, saved)
    await keepRecent(workspace, session, { state: saved.state, lastCheck })
    await keepStop(workspace, session, stopOf(saved.state.end))
    return result
  }
  try {
    if ((await workspace.files.modifiedAt(runPath(workspace, session, 'json'))) === null) return null
    return await withLock(runPath(workspace, session, 'lock'), update, { waitMsMax: RUN_LOCK_WAIT_MS_MAX })
  } catch {
    return null
  }
}

async function broughtUpToDate(
  workspace: WorkspaceWithoutGit,
  run: AgentRun,
  waiting: readonly WaitingEvents[],
): Promise<CurrentRun> {
  const head = headOf(workspace)
  const part = await newLedgerPart(workspace, run)
  for (const { events, files } of waiting) {
    if (files) followLedger(run, linesUpTo(part, run.tree.ledgerBytes, files.ledgerBytes), files.head)
    applyEvents(run, events, files?.head ?? head)
  }
  followLedger(run, linesUpTo(part, run.tree.ledgerBytes, Infinity), head)
  return { run, head, tree: treeName(run.tree, head), at: workspace.clock.now() }
}

/** Whole lines of the ledger that a run has not followed; `from` is the byte at which they begin. */
type NewLedgerPart = { readonly lines: Buffer; readonly from: number }

async function newLedgerPart(workspace: WorkspaceWithoutGit, run: AgentRun): Promise<NewLedgerPart> {
  await using ledger = await openLedger(workspace)
  const size = ledger?.size ?? 0
  const { ledgerBytes, base } = run.tree
  // A shorter ledger is another one. Of very many writes only the end is read: they make a tree of their own.
  const skipped = size < ledgerBytes || size - ledgerBytes > LEDGER_PART_MAX
  if (skipped) run.tree = { ledgerBytes: Math.max(0, size - LEDGER_PART_MAX), paths: {}, base: `${base} ${size}` }
  const from = run.tree.ledgerBytes
  // The last line may not be whole yet.
  return { lines: ledger ? await readWholeLines(ledger, from) : Buffer.alloc(0), from }
}

function linesUpTo({ lines, from }: NewLedgerPart, begin: number, end: number): { text: string; ledgerBytes: number } {
  const wanted = lines.subarray(begin - from, Math.max(begin - from, end - from))
  const whole = wanted.subarray(0, wanted.lastIndexOf(LF) + 1)
  return { text: whole.toString('utf8'), ledgerBytes: begin + whole.length }
}

const LF = 0x0a

// Some 1,000 writes: reading them takes some 10 ms.
const LEDGER_PART_MAX = 1_048_576

/** How the run of a session is stopped by now: a person may have answered a request of the agent since it was. */
export async function currentStop(workspace: WorkspaceWithoutGit, session: string): Promise<RunEnd | null> {
  const current = await updateRun(workspace, session, ({ run }) => ({ end: run.state.end }))
  return current ? stopOf(current.end) : stoppedEnd(workspace, session)
}

function stopOf(end: RunEnd | null): RunEnd | null {
  return isStopped(end) ? end : null
}

/** The runs of this worktree's sessions, the one that started last first, and the files that are damaged. */
export type SessionRuns = { readonly runs: readonly AgentRun[]; readonly damaged: readonly string[] }

/** The runs with all that waits to be counted. */
export async function countedRuns(workspace: WorkspaceWithoutGit): Promise<SessionRuns> {
  for (const { terms } of (await savedRuns(workspace)).runs) {
    const { waiting } = await readWaitingFile(workspace, terms.session)
    if (waiting.length > 0) await updateRun(workspace, terms.session, () => null)
  }
  return savedRuns(workspace)
}

/** The runs as they were counted last. Changes nothing. */
export async function savedRuns(access: GitDirAccess): Promise<SessionRuns> {
  const dir = runsDir(access)
  const read = async (name: string) => ({ name, run: await dir.get(name).catch(() => null) })
  const all = await Promise.all((await dir.names()).map(read))
  const runs = all.flatMap(it => (it.run === null ? [] : [it.run]))
  return {
    runs: runs.sort((a, b) => (b.state.startedAt ?? 0) - (a.state.startedAt ?? 0)),
    damaged: all.filter(it => it.run === null).map(it => dir.path(it.name)),
  }
}

function headOf({ root }: WorkspaceWithoutGit): string {
  return locateWorktree(root)?.head ?? ''
}

function runsDir(access: GitDirAccess) {
  return recordDir<AgentRun>(access, { folder: ['runs'], fileName: /\.json$/, parse: readAgentRun })
}

function runFileName(session: string): string {
  return `${fileNameFor(session)}.json`
}
