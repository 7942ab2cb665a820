import { safe, type SafeText } from '../outgoing/safe-text.ts'
import type { RunState } from './run-state.ts'

/** Notes that the run got on: every edge may be taken again as often. */
export function noteProgress(state: RunState, what: SafeText): void {
  state.progress = { step: state.totalSteps, what }
  pushBounded(state.timeline, state.progress, TIMELINE_MAX)
  state.idleSteps = 0
  for (const edge of Object.values(state.edges)) edge.sinceProgress = 0
}

/** Adds to a list, in place, and drops the first ones beyond `max`. */
export function pushBounded<T>(list: T[], item: T, max: number): void {
  list.push(item)
  while (list.length > max) list.shift()
}

/** Notes the tree on which the run is now. A tree that was never seen is progress. */
export function noteTree(state: RunState, tree: string): void {
  if (tree === state.tree) return
  const isFirst = state.tree === null
  state.tree = tree
  state.diagnostics = []
  if (noteSeen(state, tree) && !isFirst) noteProgress(state, safe`a tree that was never seen`)
}

/** Remembers a tree or a content; true when it is new. */
export function noteSeen(state: RunState, id: string): boolean {
  const known = setOf(state.seen)
  if (known.has(id)) return false
  known.add(id)
  state.seen.push(id)
  if (state.seen.length > SEEN_MAX) for (const it of state.seen.splice(0, SEEN_MAX / 4)) known.delete(it)
  return true
}

// A list as JSON can have it, with a set of the same texts beside it: each event looks for one.
const SETS = new WeakMap<readonly string[], Set<string>>()

function setOf(list: readonly string[]): Set<string> {
  const known = SETS.get(list) ?? new Set(list)
  SETS.set(list, known)
  return known
}

const SEEN_MAX = 400
const TIMELINE_MAX = 100
