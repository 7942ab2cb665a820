import { safe, type SafeText } from '../outgoing/safe-text.ts'
import { applyCall } from './apply-call.ts'
import { noteProgress, noteSeen } from './progress.ts'
import { freshCounters, type RunState } from './run-state.ts'
import type { SafeCheck, SafeEvent, SafeTool } from './safe-event.ts'

/**
 * Applies an event to a state, in place. After the end of a run nothing changes. Parallel calls wait until their batch
 * is over, and then count once each, in an order of their own: the order of their results does not matter.
 */
export function applyEvent(state: RunState, event: SafeEvent): void {
  if (state.end) return
  state.moved = []
  if (event.kind === 'tool' && event.batch !== undefined) {
    if (state.batch.length > 0 && state.batch[0]?.batch !== event.batch) endBatch(state)
    state.batch.push(event)
    return
  }
  endBatch(state)
  apply(state, event)
}

/** Counts the calls of a batch. */
export function endBatch(state: RunState): void {
  if (state.batch.length === 0) return
  const calls = new Map(state.batch.map(it => [JSON.stringify(it), it]))
  state.batch = []
  for (const [, it] of [...calls].sort(([a], [b]) => (a < b ? -1 : 1))) applyTool(state, it)
}

function apply(state: RunState, event: SafeEvent): void {
  switch (event.kind) {
    case 'step':
      return applyStep(state, event)
    case 'tool':
      return applyTool(state, event)
    case 'edit':
      return applyEdit(state, event)
    case 'check':
      return applyCheck(state, event)
    case 'diagnostic':
      state.diagnostics = [...state.diagnostics, withoutKind(event)].slice(-DIAGNOSTICS_MAX)
      return
    case 'plan':
      state.plan = { steps: event.steps }
      return void state.moved.push('plan')
    case 'message':
      return event.from === 'person' ? restart(state, safe`a message of a person`) : applyMessage(state, event.text)
    case 'intent':
      return restart(state, safe`another intent: ${event.id}`)
    case 'ticket':
      return event.state === 'closed' ? noteProgress(state, safe`ticket ${event.id} is closed`) : undefined
    case 'violation':
      return applyViolation(state, event)
  }
}

const DIAGNOSTICS_MAX = 50

function withoutKind({ severity, source, message }: RunState['diagnostics'][number]): RunState['diagnostics'][number] {
  return { severity, source, message }
}

function restart(state: RunState, what: SafeText): void {
  Object.assign(state, freshCounters())
  noteProgress(state, what)
}

function applyStep(state: RunState, step: SafeStep): void {
  const { from, to, reason, researchQuality } = step
  const nodes = nodesUntil(state, step)
  const edge = (state.edges[`${from} -> ${to}`] ??= {
    name: safe`${from} -> ${to}`,
    from,
    to,
    taken: 0,
    sinceProgress: 0,
    reasons: [],
  })
  if (researchQuality !== null && isBetter(researchQuality, state.researchQuality)) {
    const isFirst = state.researchQuality === null
    state.researchQuality = researchQuality
    if (!isFirst) noteProgress(state, safe`the research is better: ${researchQuality}`)
  }
  Object.assign(state, { node: to, unreportedNodes: 0 })
  state.totalSteps++
  state.superSteps += nodes
  state.idleSteps += nodes
  edge.taken++
  edge.sinceProgress++
  if (reason !== null) edge.reasons = [...edge.reasons, reason].slice(-REASONS_MAX)
  state.moved.push('edge')
}

const REASONS_MAX = 5

// Research that creeps up is not better: it has to rise by a twentieth of the best so far.
const BETTER = 1.05

function isBetter(quality: number, best: number | null): boolean {
  return best === null || quality > Math.max(best * BETTER, best)
}

/**
 * How many nodes a step adds. The first one adds both of its ends. Where the nodes between do not report their own
 * steps, the graph came back through one of them at least, and through two when one edited and then one checked.
 */
function nodesUntil({ superSteps, node, unreportedNodes }: RunState, { from, to, researchQuality }: SafeStep): number {
  // A node says how good its research is by a step to itself.
  if (from === to && researchQuality !== null) return 0
  if (superSteps === 0) return 2
  return from === node ? 1 : 1 + Math.max(1, unreportedNodes)
}

type SafeStep = Extract<SafeEvent, { kind: 'step' }>

function applyTool(state: RunState, event: SafeTool): void {
  if (event.does !== undefined) state.spent[event.does]++
  if (event.does === 'test') state.lastTest = { what: event.what, ended: event.ended }
  applyCall(state, { ...event, isTest: event.does === 'test' })
}

function applyCheck(state: RunState, event: SafeCheck): void {
  const { id, what, command, ended, checked, tree } = event
  state.unreportedNodes += state.unreportedNodes === 1 ? 1 : 0
  if (checked === 'skipped' || checked === 'stale') return
  state.lastTest = { what, ended }
  const signature = applyCall(state, { ...event, key: safe`check ${event.key}`, isTest: true })
  const latest = { id, command, result: checked, tree: tree ?? state.tree, signature }
  state.checks = [...state.checks.filter(it => it.id !== id), latest].slice(-CHECKS_MAX)
}

const CHECKS_MAX = 200
const CHECK = 'check '

/** True for the key of a check among the keys of calls. */
export function isOfCheck(key: string): boolean {
  return key.startsWith(CHECK)
}

function applyEdit(state: RunState, { path, before, after }: Extract<SafeEvent, { kind: 'edit' }>): void {
  state.unreportedNodes ||= 1
  if (before === after) {
    state.noopEdits++
    return void state.moved.push('noop-edit')
  }
  state.noopEdits = 0
  state.diagnostics = []
  // Without the id of a tree, an edit alone shows that a check ran on another one.
  state.checks = state.checks.map(it => ({ ...it, result: 'stale' }))
  noteSeen(state, `${path} ${before}`)
  if (!noteSeen(state, `${path} ${after}`)) return
  // The same call on other content is another call, also without the id of a tree.
  Object.assign(state, { sameCall: null, sameError: null, calls: [] })
  noteProgress(state, safe`${path} has new content`)
}

function applyMessage(state: RunState, said: SafeText): void {
  state.sameMessage = { text: said, count: state.sameMessage?.text === said ? state.sameMessage.count + 1 : 1 }
  state.moved.push('message')
}

function applyViolation(state: RunState, event: Extract<SafeEvent, { kind: 'violation' }>): void {
  const { rule, isHard, detail } = event
  if (isHard) state.hardViolation ??= safe`${rule}: ${detail}`
  else {
    const count = (state.softViolations.find(it => it.rule === rule)?.count ?? 0) + 1
    const others = state.softViolations.filter(it => it.rule !== rule)
    state.softViolations = [...others, { rule, count, detail }].slice(-VIOLATIONS_MAX)
  }
  state.moved.push('violation')
}

const VIOLATIONS_MAX = 50
