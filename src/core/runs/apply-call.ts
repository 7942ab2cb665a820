import { safe, type SafeText } from '../outgoing/safe-text.ts'
import { noteProgress, noteTree, pushBounded } from './progress.ts'
import type { Call, RunState } from './run-state.ts'
import type { SafeCall } from './safe-event.ts'

/** A call; `isTest` for a check, and for a command that runs tests. */
type EndedCall = SafeCall & { readonly isTest?: boolean }

/** Counts a call: the same one, the same error, the same failure on another tree. Returns its error's signature. */
export function applyCall(state: RunState, ended: EndedCall): SafeText | null {
  const { failure, isTimeout, isPoll } = ended
  if (ended.tree !== undefined) noteTree(state, ended.tree)
  state.sameMessage = null
  if (failure?.isInfrastructure) {
    state.infrastructureErrors++
    state.moved.push('infrastructure')
    return null
  }
  state.infrastructureErrors = 0
  state.timeouts = isTimeout ? state.timeouts + 1 : 0
  if (isTimeout) state.moved.push('timeout')
  const signature = failure?.signature ?? null
  const call = { key: ended.key, what: ended.what, ended: ended.ended, result: ended.result, tree: state.tree }
  countCall(state, call, isPoll)
  countError(state, call, signature)
  if (signature === null) forgetFailure(state, ended)
  else countFailure(state, ended, signature)
  return signature
}

function countCall(state: RunState, call: Call, isPoll: boolean): void {
  const { sameCall } = state
  const count = sameCall && isSame(sameCall, call) ? sameCall.count + 1 : 1
  state.sameCall = { ...call, isPoll, count }
  state.moved.push('call')
  if (!isPoll) pushBounded(state.calls, call, CALLS_MAX)
}

// Three times a cycle of five calls.
const CALLS_MAX = 15

function countError(state: RunState, call: Call, signature: SafeText | null): void {
  const { sameError } = state
  if (signature === null) state.sameError = null
  else state.sameError = { ...call, count: sameError && isSame(sameError, call) ? sameError.count + 1 : 1 }
}

/** True for equal calls with equal results on the same tree. */
export function isSame(a: Call, b: Call): boolean {
  return a.key === b.key && a.result === b.result && a.tree === b.tree
}

function forgetFailure(state: RunState, { key, what }: SafeCall): void {
  if (state.failures[key] === undefined) return
  delete state.failures[key]
  KEYS.delete(state.failures)
  state.lastReturn = null
  noteProgress(state, safe`${what} no longer fails`)
}

function countFailure(state: RunState, { key, what, isTest }: EndedCall, signature: SafeText): void {
  countReturn(state, signature)
  // Without the id of a tree, the latest new content of a file stands for it, where a test has failed on that.
  const tree = state.tree ?? (isTest ? (state.seen.at(-1) ?? null) : null)
  const last = state.failures[key]
  if (last?.signature !== signature) {
    if (last) noteProgress(state, safe`${what} fails for another reason`)
    state.failures[key] = { signature, what, count: 1, trees: tree === null ? [] : [tree] }
    if (!last) boundNewKey(state.failures, key, FAILURES_MAX)
    return
  }
  if (tree === null || last.trees.includes(tree)) return
  last.count++
  last.trees = [...last.trees, tree].slice(-TREES_MAX)
  state.moved.push('failure')
}

// A visit counts when the run comes from another tree or failure, however often the command is repeated there.
function countReturn(state: RunState, signature: string): void {
  if (state.tree === null) return
  const place = `${state.tree} ${signature}`
  if (place === state.lastReturn) return
  state.lastReturn = place
  const isNew = state.returns[place] === undefined
  state.returns[place] = (state.returns[place] ?? 0) + 1
  state.moved.push('return')
  if (isNew) boundNewKey(state.returns, place, RETURNS_MAX)
}

function boundNewKey(table: Record<string, unknown>, key: string, max: number): void {
  const keys = KEYS.get(table) ?? Object.keys(table).filter(it => it !== key)
  KEYS.set(table, keys)
  keys.push(key)
  if (keys.length > max) delete table[keys.shift() ?? '']
}

// The keys of a table in their order, beside it: asking the object for them takes longer than the rest of an event.
const KEYS = new WeakMap<object, string[]>()

const TREES_MAX = 20
const FAILURES_MAX = 50
const RETURNS_MAX = 200
