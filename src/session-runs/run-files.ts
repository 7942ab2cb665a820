import { fileNameFor } from '../io/files/file-name.ts'
import { readRunEnd } from '../runs/read-run-state.ts'
import type { RunEnd } from '../runs/run-state.ts'
import { ownPath } from '../worktree/layout.ts'
import { recordDir } from '../worktree/record-dir.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'

// Agents' hooks load this file before each call that writes: it imports no more than they need.

/** The path of a file of a session's run: the run itself, its lock, and what waits to be counted. */
export function runPath(access: GitDirAccess, session: string, kind: 'json' | 'lock' | 'refused'): string {
  return ownPath(access, 'runs', `${fileNameFor(session)}.${kind}`)
}

/** How the run of a session was stopped, as it was last counted; null for one that goes on or is done. */
export async function stoppedEnd(access: GitDirAccess, session: string): Promise<RunEnd | null> {
  return stopsDir(access).get(stopName(session))
}

/** Keeps how a run was stopped, or that it goes on: in a small file, because each call that writes asks for it. */
export async function keepStop(access: GitDirAccess, session: string, end: RunEnd | null): Promise<void> {
  if (end) await stopsDir(access).put(stopName(session), end)
  else await stopsDir(access).remove(stopName(session))
}

function stopsDir(access: GitDirAccess) {
  return recordDir<RunEnd>(access, { folder: ['runs'], fileName: /\.stopped$/, parse: readRunEnd })
}

function stopName(session: string): string {
  return `${fileNameFor(session)}.stopped`
}

/** A refusal that a run is to count: the same rule again and again is not a way to get on. */
export type WaitingRefusal = { readonly rule: string; readonly detail: string }

/**
 * Keeps refusals for the next count of a session's run, which takes longer than judging does. True when so many wait
 * that they have to be counted now.
 */
export async function noteRefusals(
  access: GitDirAccess,
  session: string,
  refusals: readonly WaitingRefusal[],
): Promise<boolean> {
  const { files } = access
  const hasRun = refusals.length > 0 && (await files.modifiedAt(runPath(access, session, 'json'))) !== null
  if (!hasRun) return false
  const path = runPath(access, session, 'refused')
  await files.append(path, Buffer.from(refusals.map(it => `${JSON.stringify(it)}\n`).join('')))
  return (await readRefusals(access, session)).length >= WAITING_MAX
}

// The limit of the rule: two of the same kind end nothing.
const WAITING_MAX = 3

/** The refusals that wait to be counted. */
export async function readRefusals(access: GitDirAccess, session: string): Promise<readonly WaitingRefusal[]> {
  const text = (await access.files.read(runPath(access, session, 'refused')))?.toString('utf8') ?? ''
  return text.split('\n').flatMap(it => refusalIn(it))
}

function refusalIn(line: string): WaitingRefusal[] {
  try {
    const { rule, detail } = JSON.parse(line) as WaitingRefusal
    return typeof rule === 'string' && typeof detail === 'string' ? [{ rule, detail }] : []
  } catch {
    return []
  }
}
