import { objectOrNull, parseObject, type Payload } from '../base/payload.ts'
import type { RunState } from './run-state.ts'
import type { SafeEvent } from './safe-event.ts'

/**
 * Events of a session that are not counted yet: counting takes longer than keeping them, and most change nothing that a
 * rule looks at. `files` are those that they are about; null for events that are about no files.
 */
export type WaitingEvents = { readonly events: readonly SafeEvent[]; readonly files: FilesThen | null }

/** The files of a moment: the commit that HEAD named, and the size of the ledger in bytes. */
export type FilesThen = { readonly head: string; readonly ledgerBytes: number }

/** What a file of waiting events holds. */
export type WaitingFile = {
  readonly waiting: readonly WaitingEvents[]
  /** The keys of the calls and refusals that were counted last. */
  readonly recent: readonly string[]
  /** Which check of the worktree was the last one at that count; null for none. */
  readonly lastCheck: string | null
}

/** Reads the lines of such a file. A damaged line is left out: its events are not counted. */
export function readWaiting(text: string): WaitingFile {
  const lines = text.split('\n').map(it => (it === '' ? null : parseObject(it)))
  return {
    waiting: lines.flatMap(it => waitingIn(it)),
    recent: textsOf(lines, 'recent'),
    lastCheck: textsOf(lines, 'lastCheck').at(-1) ?? null,
  }
}

function textsOf(lines: readonly (Payload | null)[], name: string): string[] {
  return lines.flatMap(it => (typeof it?.[name] === 'string' ? [it[name]] : []))
}

function waitingIn(line: Payload | null): WaitingEvents[] {
  const { version, events, files } = line ?? {}
  const areWhole =
    version === WAITING_VERSION &&
    Array.isArray(events) &&
    events.every(it => typeof objectOrNull(it)?.['kind'] === 'string')
  const { head, ledgerBytes } = objectOrNull(files) ?? {}
  const hasFiles = typeof head === 'string' && typeof ledgerBytes === 'number'
  if (!areWhole || (files !== null && !hasFiles)) return []
  return [{ events: events as SafeEvent[], files: hasFiles ? { head, ledgerBytes } : null }]
}

/** A line of such a file. Lines of another version have texts of calls, and are not read. */
export function waitingLine({ events, files }: WaitingEvents): string {
  return `${JSON.stringify({ version: WAITING_VERSION, events, files })}\n`
}

const WAITING_VERSION = 2

/** The lines that a count of the events puts in their place: the next equal call is known to be a repetition. */
export function recentLines({ calls, sameCall, softViolations }: RunState, lastCheck: string | null): string {
  const polled = sameCall ? repeated(sameCall.key, Math.min(sameCall.count, SAME_POLL)) : []
  const rules = softViolations.flatMap(({ rule, count }) => repeated(rule, Math.min(count, SAME_RULE)))
  const known = [...new Set(calls.map(it => it.key)), ...polled, ...rules]
  const lines = [...known.map(recent => ({ recent })), ...(lastCheck === null ? [] : [{ lastCheck }])]
  return lines.map(it => `${JSON.stringify(it)}\n`).join('')
}

function repeated(text: string, times: number): string[] {
  return new Array<string>(times).fill(text)
}

/**
 * True when events have to be counted now: a call that failed or was made before (a poll: ten times), an edit without a
 * change, the third refusal by one rule. Anything else can wait until it is many.
 */
export function isCountDue({ waiting, recent }: Omit<WaitingFile, 'lastCheck'>, events: readonly SafeEvent[]): boolean {
  if (waiting.length >= WAITING_MAX) return true
  const known = [...recent, ...waiting.flatMap(it => it.events.map(keyOf))]
  const timesBefore = (key: string | null): number => known.filter(it => it === key).length
  return events.some(it => isNew(it) || timesBefore(keyOf(it)) >= timesUntilDue(it) - 1)
}

// A session that only reads is counted this often.
const WAITING_MAX = 20

// One less than this ends nothing: the limits of the rules.
const SAME_RULE = 3
const SAME_POLL = 10
const SAME_CALL = 2

function timesUntilDue(event: SafeEvent): number {
  if (event.kind === 'violation') return SAME_RULE
  return event.kind === 'tool' && event.isPoll ? SAME_POLL : SAME_CALL
}

function isNew(event: SafeEvent): boolean {
  if (event.kind === 'plan' || (event.kind === 'violation' && event.isHard)) return true
  return event.kind === 'tool' ? event.failure !== null : event.kind === 'edit' && event.before === event.after
}

function keyOf(event: SafeEvent): string | null {
  if (event.kind === 'violation') return event.rule
  return event.kind === 'tool' ? event.key : null
}
