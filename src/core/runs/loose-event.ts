import { textOf } from './call-key.ts'
import type { CheckResult, RunEvent } from './event.ts'

/** An event, and what its members were not, each as a sentence. */
export type TakenEvent = { readonly event: RunEvent; readonly problems: readonly string[] }

type Given = Readonly<Record<string, unknown>>
type Reader = { readonly [K in LooseKind]: (given: Given) => RunEvent | TakenEvent }

/** The kinds of event that the program of a graph reports. */
export type LooseKind = Exclude<RunEvent['kind'], 'intent'>

/**
 * An event as the program of a graph reports it: with members of any kind, or without them. Another
 * value than a text is taken as its JSON, what is missing as an empty text or as zero. A guard does not throw into what
 * it guards.
 */
export function takenEvent(kind: LooseKind, given: unknown): TakenEvent {
  const members = typeof given === 'object' && given !== null ? (given as Given) : {}
  const taken = READERS[kind](members)
  return 'event' in taken ? taken : { event: taken, problems: [] }
}

const READERS: Reader = {
  step: ({ from, to, reason, researchQuality }) => ({
    kind: 'step',
    from: textOf(from),
    to: textOf(to),
    ...(reason == null ? {} : { reason: textOf(reason) }),
    ...(Number.isFinite(researchQuality) ? { researchQuality: Number(researchQuality) } : {}),
  }),
  tool: toolEvent,
  edit: ({ path, before, after }) => ({
    kind: 'edit',
    path: textOf(path),
    before: before == null ? null : textOf(before),
    after: after == null ? null : textOf(after),
  }),
  check: checkEvent,
  diagnostic: ({ severity, source, message }) => ({
    kind: 'diagnostic',
    severity: severity === 'warning' ? 'warning' : 'error',
    source: textOf(source),
    message: textOf(message),
  }),
  plan: ({ steps, next, reason }) => ({
    kind: 'plan',
    steps: Array.isArray(steps) ? steps.length : countOf(steps),
    next: textOf(next),
    reason: textOf(reason),
  }),
  message: ({ from, text }) => ({ kind: 'message', from: from === 'person' ? 'person' : 'agent', text: textOf(text) }),
  ticket: ({ id, state }) => ({ kind: 'ticket', id: textOf(id), state: state === 'closed' ? 'closed' : 'open' }),
  violation: ({ rule, isHard, detail }) => ({
    kind: 'violation',
    rule: textOf(rule),
    isHard: isHard === true,
    detail: textOf(detail),
  }),
}

function toolEvent(call: Given): RunEvent {
  const { exit, key, batch, tree, does } = call
  return {
    kind: 'tool',
    tool: textOf(call['tool']),
    args: call['args'] ?? {},
    result: textOf(call['result']),
    isError: call['isError'] === true || call['result'] instanceof Error,
    isTimeout: call['isTimeout'] === true,
    isPoll: call['isPoll'] === true,
    ...(exit === undefined ? {} : { exit: exitOf(exit) }),
    ...(key == null ? {} : { key: textOf(key) }),
    ...(batch == null ? {} : { batch: textOf(batch) }),
    ...(tree == null ? {} : { tree: textOf(tree) }),
    ...(does === 'command' || does === 'test' || does === 'install' ? { does } : {}),
  }
}

// An exit code that is not a number does not say that the call succeeded.
function exitOf(exit: unknown): number | null {
  if (exit === null) return null
  const code = numberOf(exit)
  return Number.isInteger(code) ? code : 1
}

const RESULTS: readonly CheckResult[] = ['passed', 'failed', 'timeout', 'error', 'skipped', 'stale']

// A result that kotef does not know does not say that the check passed.
function checkEvent({ id, command, result, output, signature, tree }: Given): TakenEvent {
  const known = RESULTS.find(it => it === result)
  return {
    event: {
      kind: 'check',
      id: textOf(id ?? command),
      command: textOf(command ?? id),
      result: known ?? 'error',
      output: textOf(output),
      ...(signature == null ? {} : { signature: textOf(signature) }),
      ...(tree == null ? {} : { tree: textOf(tree) }),
    },
    problems: known ? [] : [`The result of a check is none of ${RESULTS.join(', ')}: it counts as an error.`],
  }
}

// An object can throw when it is made a number.
function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN
}

function countOf(value: unknown): number {
  const count = numberOf(value)
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}
