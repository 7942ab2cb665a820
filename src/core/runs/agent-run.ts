import { published, safe, safeList } from '../outgoing/safe-text.ts'
import { objectOrNull, parseObject, type Payload } from '../base/payload.ts'
import { applyEvent } from './apply-event.ts'
import { decide } from './decide.ts'
import type { CheckResult } from './event.ts'
import { type FollowedTree, treeAfter, treeAtStart, treeName, withName, type WrittenPath } from './followed-tree.ts'
import { type Limits, type Profile, profileTerms, type ProfileTerms } from './limits.ts'
import { noteTree } from './progress.ts'
import { readRunEnd, readRunState } from './read-run-state.ts'
import { type RunDecision, type RunEnd, type RunState, startedRun } from './run-state.ts'
import { ledgerCheckEvent, type SafeCheck, type SafeEvent, type SafeTool } from './safe-event.ts'

/** What the run of an agent's session is measured by. It is settled when the session selects its intent. */
export type AgentRunTerms = {
  readonly session: string
  readonly intent: string
  /** The commands that are the definition of done, and the criteria that a person attests. */
  readonly checks: readonly string[]
  /** Of the checks that an agent can run itself as they are: the command by its fingerprint. */
  readonly typedChecks?: Readonly<Record<string, string>>
  readonly manual: readonly string[]
  readonly appetite: RunState['terms']['appetite']
  readonly profile: Profile | null
  readonly limits: Partial<Limits>
  /** False when the agent may stop whatever its checks say. */
  readonly holdsAtStop: boolean
}

/** The version of a saved run: those of version 1 had texts of calls. */
export const AGENT_RUN_VERSION = 2

/** The run of an agent's session: between two messages of a person after an end, there is one of them. */
export type AgentRun = {
  readonly version: typeof AGENT_RUN_VERSION
  readonly terms: AgentRunTerms
  readonly state: RunState
  tree: FollowedTree
  /** The tree at the person's last message, and how often the agent was held at a stop on which tree. */
  turn: {
    readonly tree: string | null
    readonly heldOn: string | null
    readonly held: number
    readonly heldInAll: number
  }
}

/** A run that begins at a byte of the ledger. `at` is in milliseconds since 1970. */
export function startedAgentRun(terms: AgentRunTerms, { ledgerBytes, at }: RunStart): AgentRun {
  const state = { ...startedRun(termsOfState(terms)), startedAt: at }
  return { version: AGENT_RUN_VERSION, terms, state, tree: treeAtStart(ledgerBytes), turn: freshTurn(null) }
}

// The checks are those of the registry.
function termsOfState({ checks, appetite }: AgentRunTerms): RunState['terms'] {
  return { checks: checks.map(published), appetite }
}

type RunStart = { readonly ledgerBytes: number; readonly at: number }

/** The turn that a person's message begins. */
export function freshTurn(tree: string | null): AgentRun['turn'] {
  return { tree, heldOn: null, held: 0, heldInAll: 0 }
}

/**
 * A saved run; null when it is damaged, so that no end of it is believed. Of a run of version 1, which had texts of
 * calls and outputs, the terms, the tree and the end are read, and no text.
 */
export function readAgentRun(text: string): AgentRun | null {
  const saved = parseObject(text)
  const { version, terms, tree, turn, state } = saved ?? {}
  if (!isOfTerms(terms) || !isOfTree(tree) || objectOrNull(turn) === null) return null
  if (version === 1) return withoutTexts(saved as unknown as AgentRun)
  return version === AGENT_RUN_VERSION && 'state' in readRunState(state) ? (saved as unknown as AgentRun) : null
}

function withoutTexts(saved: AgentRun): AgentRun | null {
  const { terms, tree, turn, state } = saved
  const end = state?.end == null ? null : readRunEnd(JSON.stringify(state.end))
  if (objectOrNull(state) === null || (state.end !== null && end === null)) return null
  const counted = { totalSteps: Number(state.totalSteps) || 0, startedAt: Number(state.startedAt) || null }
  return {
    version: AGENT_RUN_VERSION,
    terms,
    tree,
    turn,
    state: { ...startedRun(termsOfState(terms)), ...counted, end },
  }
}

function isOfTerms(value: unknown): boolean {
  const terms = objectOrNull(value)
  const lists = [terms?.['checks'], terms?.['manual']]
  const texts = [terms?.['session'], terms?.['intent']]
  return (
    texts.every(isText) && lists.every(it => Array.isArray(it) && it.every(isText)) && !!objectOrNull(terms?.['limits'])
  )
}

function isOfTree(value: unknown): boolean {
  const tree = objectOrNull(value)
  return Number.isSafeInteger(tree?.['ledgerBytes']) && objectOrNull(tree?.['paths']) !== null && isText(tree?.['base'])
}

const isText = (value: unknown): boolean => typeof value === 'string'

/**
 * The limits of an agent's run. A command that is not a check may fail for a reason of its own: it only warns. Each
 * call is a step, and an ordinary session has hundreds.
 */
function termsOf({ profile, limits }: AgentRunTerms): ProfileTerms {
  return profileTerms(profile, { sameCommandFailureStop: 0, stepsStop: 0, ...limits })
}

/** Applies events to a run, in place; each is on the tree on which the run is. Each call of a tool is a step. */
export function applyEvents(run: AgentRun, events: readonly SafeEvent[], head: string): void {
  const tree = treeName(run.tree, head)
  for (const it of events) {
    if (it.kind !== 'tool') {
      applyEvent(run.state, it.kind === 'check' ? { ...it, tree } : it)
      continue
    }
    if (!run.state.end) run.state.totalSteps++
    const check = typedCheck(run.terms, it)
    // It counts against the budget all the same.
    if (check && it.does !== undefined && !run.state.end) run.state.spent[it.does]++
    applyEvent(run.state, { ...(check ?? it), tree })
  }
}

// A check of the intent that the agent has run itself is one, green or red.
function typedCheck({ typedChecks = {} }: AgentRunTerms, tool: SafeTool): SafeCheck | null {
  const { line, failure, isTimeout, ended } = tool
  const command = line ? typedChecks[line.key] : undefined
  if (!line || command === undefined || failure?.isInfrastructure) return null
  const checked = isTimeout ? 'timeout' : failure ? 'failed' : 'passed'
  // Where it failed, only the output that the agent read says.
  return { ...ledgerCheckEvent({ command, checked, signature: line.signature }), ended }
}

/** Decides about a run, and notes its end in place. With criteria for a person left, a run is done in part. */
export function settle(run: AgentRun, at: number): RunDecision {
  const { state, terms } = run
  const decision = decide(state, termsOf(terms))
  if (state.end || decision.status === 'running' || decision.status === 'warn') return decision
  // Checks that pass before anything was changed do not say that the work is done.
  if (decision.status.startsWith('done') && state.tree === run.turn.tree) return RUNNING
  const left = terms.manual.length
  const isPartial = decision.status === 'done_success' && left > 0
  const status = isPartial ? 'done_partial' : decision.status
  const more = isPartial
    ? safe`. ${left} of the criteria ${left === 1 ? safe`is` : safe`are`} for a person to attest`
    : safe``
  const end: RunEnd = { status, rule: decision.rule ?? '', evidence: safe`${decision.evidence}${more}`, at }
  state.end = end
  return end
}

/**
 * Ends a run whose session is over, in place, unless it had ended: it is done in part, and its evidence says what is
 * left. Nobody was stuck there, so it is not among the runs that were stopped.
 */
export function endWithSession(run: AgentRun, at: number): RunEnd {
  const { state, terms } = run
  settle(run, at)
  const open = terms.checks.filter(
    id => !state.checks.some(it => it.id === id && it.result === 'passed' && it.tree === state.tree),
  )
  const left = safe`${open.length} of its ${terms.checks.length} checks have not passed on these files`
  const evidence =
    open.length > 0
      ? safe`The session is over, and ${left}: ${safeList(open.map(published))}`
      : safe`The session is over`
  return (state.end ??= { status: 'done_partial', rule: 'session-over', evidence, at })
}

const RUNNING: RunDecision = { status: 'running', rule: null, evidence: null }

/** Follows what the ledger got since: writes change the tree, and checks of the intent are events on it. */
export function followLedger(run: AgentRun, { text, ledgerBytes }: LedgerPart, head: string): void {
  for (const line of text.split('\n')) {
    const record = line === '' ? null : parseObject(line)
    const own = objectOrNull(objectOrNull(record?.['metadata'])?.['dev.kotef'])
    if (!record || !own) continue
    if (own['event'] === 'write') run.tree = treeAfter(run.tree, writesOf(record))
    else if (own['event'] === 'check-run' && own['intent'] === run.terms.intent)
      applyEvents(run, checkEvents(own), head)
    else if (ANSWERS.has(own['event']) && own['session'] === run.terms.session) restart(run, run.state.startedAt)
  }
  run.tree = withName({ ...run.tree, ledgerBytes }, head)
  // A check that passed before the last write says nothing about the files as they are.
  if (!run.state.end) noteTree(run.state, treeName(run.tree, head))
}

// What a person answers to a request begins all attempts again, as a message does.
const ANSWERS: ReadonlySet<unknown> = new Set(['granted', 'rejected'])

/** Begins a run again, in place, on the files as they are. `startedAt` is in milliseconds since 1970. */
export function restart({ state, terms }: AgentRun, startedAt: number | null): void {
  Object.assign(state, startedRun(termsOfState(terms)), { startedAt })
}

/** Whole lines of the ledger, and the byte at which they end. */
type LedgerPart = { readonly text: string; readonly ledgerBytes: number }

function writesOf({ files }: Payload): WrittenPath[] {
  return (Array.isArray(files) ? files : []).flatMap((it: unknown): WrittenPath[] => {
    const file = objectOrNull(it)
    const { after, from } = objectOrNull(file?.['kotef']) ?? {}
    const path = file?.['path']
    if (typeof path !== 'string') return []
    const to: WrittenPath = [path, typeof after === 'string' ? after : null]
    return typeof from === 'string' ? [[from, null], to] : [to]
  })
}

function checkEvents({ command, exit, timed_out, status, signature }: Payload): SafeEvent[] {
  if (typeof command !== 'string') return []
  const checked = RESULTS.find(it => it === status) ?? (exit === 0 ? 'passed' : timed_out ? 'timeout' : 'failed')
  return [ledgerCheckEvent({ command, checked, signature })]
}

const RESULTS: readonly CheckResult[] = ['passed', 'failed', 'timeout', 'error', 'stale']
