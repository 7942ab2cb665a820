import { join } from 'node:path'
import { layoutOf } from '../io/worktree/layout.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { commitsBeforeLedger } from './commit-queries.ts'
import { parseObject } from '../../core/base/payload.ts'

/**
 * The progress of annotating, which only this clone knows: every commit between `ends` and the other tips was looked
 * at. One of whose lines nobody knows the author has no note.
 */
export type AnnotationState = {
  /** The commits before the first one that the ledger can know of. */
  readonly ends: readonly string[]
  /** The tips that a caller annotated that had watched the worktree. */
  readonly watched: readonly string[]
  /** The tips that any caller annotated. */
  readonly noted: readonly string[]
  /** The tip of the notes at that time: with other notes, authors may be found that were unknown. */
  readonly notes: string | null
  /** The tips up to which changes were classified; what was left for lack of time is not looked at again. */
  readonly classified: readonly string[]
}

/** The progress so far; null before the first commit was looked at, and when its file is damaged. */
export async function readAnnotationState(workspace: Workspace): Promise<AnnotationState | null> {
  const bytes = await workspace.files.read(annotationStatePath(workspace), LARGE_FILE_BYTES_MAX).catch(() => null)
  const state = parseObject(bytes?.toString('utf8') ?? '')
  if (!isAnnotationState(state)) return null
  const { notes } = state
  // An earlier kotef did not classify.
  const classified: unknown = Object(state).classified
  const tips = Array.isArray(classified) ? classified.filter(isOidOrParents) : []
  return { ...state, notes: isOidOrParents(notes) ? notes : null, classified: tips as string[] }
}

/** Keeps the progress for the next caller. */
export async function saveAnnotationState(workspace: Workspace, state: AnnotationState): Promise<void> {
  await workspace.files.put(annotationStatePath(workspace), JSON.stringify(state))
}

/**
 * The commits at which looking for authors ends: those before the first one that a ledger can know of, and those that
 * were looked at before. Null when the first one is unknown.
 */
export async function commitsLookedAt(workspace: Workspace): Promise<readonly string[] | null> {
  const state = await readAnnotationState(workspace)
  return state ? [...state.ends, ...state.noted] : commitsBeforeLedger(workspace)
}

/** The commits before the first one that a ledger can know of; null when that is unknown. */
export async function commitsBeforeNotes(workspace: Workspace): Promise<readonly string[] | null> {
  return (await readAnnotationState(workspace))?.ends ?? commitsBeforeLedger(workspace)
}

function isAnnotationState(value: unknown): value is AnnotationState {
  const { ends, watched, noted } = (value ?? {}) as AnnotationState
  return [ends, watched, noted].every(it => Array.isArray(it) && it.every(isOidOrParents))
}

// The values become arguments of git, so they must not be options.
function isOidOrParents(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40,64}(\^@)?$/.test(value)
}

function annotationStatePath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'finalised.json')
}
