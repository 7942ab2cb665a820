import { shortened } from './call-key.ts'
import { errorSignature, isInfrastructureError } from './error-signature.ts'
import { noteProgress, noteTree, pushBounded } from './progress.ts'
import type { Call, RunState } from './run-state.ts'

/** A tool call or a check that has ended. */
export type EndedCall = {
  readonly key: string
  readonly output: string
  readonly exit: string
  readonly isFailure: boolean
  readonly isTimeout: boolean
  readonly isPoll: boolean
  readonly tree: string | undefined
  readonly signature?: string | undefined
}

/** Counts a call: the same one, the same error, the same failure on another tree. Returns its error's signature. */
export function applyCall(state: RunState, ended: EndedCall): string | null {
  const { key, output, isFailure, isTimeout, isPoll } = ended
  if (ended.tree !== undefined) noteTree(state, ended.tree)
  state.sameMessage = null
  if (isFailure && !isTimeout && isInfrastructureError(output)) {
    state.infrastructureErrors++
    state.moved.push('infrastructure')
    return null
  }
  state.infrastructureErrors = 0
  state.timeouts = isTimeout ? state.timeouts + 1 : 0
  if (isTimeout) state.moved.push('timeout')
  const signature = isFailure ? (ended.signature ?? errorSignature(key, output)) : null
  const call = { key, result: signature ?? `${ended.exit} ${shortened(output)}`, tree: state.tree }
  countCall(state, call, isPoll)
  countError(state, call, signature)
  if (signature === null) forgetFailure(state, key)
  else countFailure(state, key, signature)
  return signature
}

function countCall(state: RunState, call: Call, isPoll: boolean): void {
  const { sameCall } = state
  const count = sameCall && isSame(sameCall, call) ? sameCall.count + 1 : 1
  const { key, result, tree } = call
  state.sameCall = { key, result, tree, isPoll, count }
  state.moved.push('call')
  if (!isPoll) pushBounded(state.calls, call, CALLS_MAX)
}

// Three times a cycle of five calls.
const CALLS_MAX = 15

function countError(state: RunState, call: Call, signature: string | null): void {
  const { sameError } = state
  if (signature === null) state.sameError = null
  else state.sameError = { ...call, count: sameError && isSame(sameError, call) ? sameError.count + 1 : 1 }
}

/** True for equal calls with equal results on the same tree. */
export function isSame(a: Call, b: Call): boolean {
  return a.key === b.key && a.result === b.result && a.tree === b.tree
}

function forgetFailure(state: RunState, key: string): void {
  if (state.failures[key] === undefined) return
  delete state.failures[key]
  KEYS.delete(state.failures)
  state.lastReturn = null
  noteProgress(state, `${key} no longer fails`)
}

function countFailure(state: RunState, key: string, signature: string): void {
  countReturn(state, signature)
  const { tree } = state
  const last = state.failures[key]
  if (last?.signature !== signature) {
    if (last) noteProgress(state, `${key} fails for another reason`)
    state.failures[key] = { signature, count: 1, trees: tree === null ? [] : [tree] }
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
