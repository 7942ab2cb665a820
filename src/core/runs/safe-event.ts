import { describedCommand } from '../outgoing/described-command.ts'
import { describedFailure, errorClass, type NamedLine } from '../outgoing/described-failure.ts'
import {
  fingerprint,
  published,
  safe,
  safeName,
  safePath,
  storedFingerprint,
  type SafeText,
} from '../outgoing/safe-text.ts'
import { objectOrNull } from '../base/payload.ts'
import { callText } from './call-key.ts'
import { errorSignature, isInfrastructureError } from './error-signature.ts'
import { type CheckEvent, type CheckResult, hasFailed, type RunEvent, type StepEvent, type ToolEvent } from './event.ts'

/** How a call or a check failed: the signature of its error, and whether that is one of the network or the disk. */
export type SafeFailure = { readonly signature: SafeText; readonly isInfrastructure: boolean }

/** A tool call or a check that has ended, without a text of its arguments or its output. */
export type SafeCall = {
  /** Equal for equal calls. */
  readonly key: SafeText
  /** What was called, in words. */
  readonly what: SafeText
  /** How it ended, in words. */
  readonly ended: SafeText
  /** Equal for equal results. */
  readonly result: SafeText
  readonly failure: SafeFailure | null
  readonly isTimeout: boolean
  readonly isPoll: boolean
  readonly tree?: string
}

export type SafeTool = SafeCall & {
  readonly kind: 'tool'
  readonly batch?: string
  readonly does?: 'command' | 'test' | 'install'
  /** The fingerprint of a command line that can be a check, and the signature that the check would have. */
  readonly line?: { readonly key: SafeText; readonly signature: SafeText }
}

export type SafeCheck = SafeCall & {
  readonly kind: 'check'
  readonly id: SafeText
  readonly command: SafeText
  readonly checked: CheckResult
}

/** An event of a run as it is stored and counted: no text of it is that of a command, an agent or a file. */
export type SafeEvent =
  | SafeTool
  | SafeCheck
  | {
      readonly kind: 'step'
      readonly from: SafeText
      readonly to: SafeText
      readonly reason: SafeText | null
      readonly researchQuality: number | null
    }
  /** `path` is the name of the file; the contents are fingerprints. */
  | { readonly kind: 'edit'; readonly path: SafeText; readonly before: SafeText; readonly after: SafeText }
  | {
      readonly kind: 'diagnostic'
      readonly severity: 'error' | 'warning'
      readonly source: SafeText
      readonly message: SafeText
    }
  | { readonly kind: 'plan'; readonly steps: number }
  | { readonly kind: 'message'; readonly from: 'person' | 'agent'; readonly text: SafeText }
  | { readonly kind: 'intent'; readonly id: SafeText }
  | { readonly kind: 'ticket'; readonly id: SafeText; readonly state: 'open' | 'closed' }
  | { readonly kind: 'violation'; readonly rule: SafeText; readonly isHard: boolean; readonly detail: SafeText }

/** What an event is made safe by. */
export type SafetyTerms = {
  /** Of the fingerprints. */
  readonly salt: string
  /** Texts that the registry has: commands and ids of checks. */
  readonly published: readonly string[]
  /** The lines of tracked files that the output of a call names, and the file that it is about. */
  readonly places?: readonly NamedLine[]
  readonly about?: string | null
}

/** An event as it may be stored: this is where all texts of a program or an agent end. */
export function safeEvent(event: RunEvent, terms: SafetyTerms): SafeEvent | null {
  const { salt } = terms
  switch (event.kind) {
    case 'tool':
      return safeTool(event, terms)
    case 'check':
      return safeCheck(event, terms)
    case 'step':
      return safeStep(event, salt)
    case 'edit': {
      const { path, before, after } = event
      const content = (it: string | null): SafeText => (it === null ? safe`no file` : fingerprint(it, salt))
      return { kind: 'edit', path: safePath(path, salt), before: content(before), after: content(after) }
    }
    case 'diagnostic': {
      const { severity, source, message } = event
      const shown = errorClass(message) ?? safe`message ${fingerprint(message, salt)}`
      return { kind: 'diagnostic', severity, source: safeName(source, salt), message: shown }
    }
    case 'plan':
      return { kind: 'plan', steps: event.steps }
    case 'message':
      return { kind: 'message', from: event.from, text: fingerprint(event.text.trim(), salt) }
    case 'intent':
      return { kind: 'intent', id: safeName(event.id, salt) }
    case 'ticket':
      return { kind: 'ticket', id: safeName(event.id, salt), state: event.state }
    case 'violation':
      return { ...event, rule: safeName(event.rule, salt), detail: fingerprint(event.detail, salt) }
    default:
      return null
  }
}

function safeStep({ from, to, reason, researchQuality }: StepEvent, salt: string): SafeEvent {
  const why = reason === undefined ? null : safe`reason ${fingerprint(reason, salt)}`
  const names = { from: safeName(from, salt), to: safeName(to, salt) }
  return { kind: 'step', ...names, reason: why, researchQuality: researchQuality ?? null }
}

function safeTool(event: ToolEvent, terms: SafetyTerms): SafeTool {
  const { tool, args, key = callText(tool, args), result, exit = 0, isTimeout = false, isPoll = false } = event
  const { salt } = terms
  const isFailure = hasFailed(event)
  // A call that succeeded is the same call only with the very same result: a log that grows is not a loop.
  const failure = isFailure ? failureOf(key, result, { ...terms, isTimeout }) : null
  const code = exit === null ? safe`ended by a signal` : safe`exit ${exit}`
  const { tree, batch, does } = event
  return {
    kind: 'tool',
    key: fingerprint(key, salt),
    what: calledText(event, terms),
    isTimeout,
    isPoll,
    failure,
    ended: failure ? failureText(code, result, { ...terms, failure }) : code,
    result: failure?.signature ?? safe`${code}, ${fingerprint(result, salt)}`,
    ...(tree !== undefined && { tree }),
    ...(batch !== undefined && { batch }),
    ...(does !== undefined && { does }),
    ...(event.line !== undefined && { line: lineOf(event.line.trim(), result, salt) }),
  }
}

function lineOf(line: string, output: string, salt: string): NonNullable<SafeTool['line']> {
  return { key: fingerprint(line, salt), signature: errorSignature(line, output, salt) }
}

function failureOf(
  key: string,
  output: string,
  { salt, isTimeout }: SafetyTerms & { isTimeout: boolean },
): SafeFailure {
  const isInfrastructure = !isTimeout && isInfrastructureError(output)
  return { signature: errorSignature(key, output, salt), isInfrastructure }
}

function failureText(
  code: SafeText,
  output: string,
  { failure, places = [] }: SafetyTerms & { readonly failure: SafeFailure },
): SafeText {
  const said = describedFailure(output, places)
  const signature = safe`signature ${failure.signature}`
  return said === '' ? safe`${code}, ${signature}` : safe`${code}, ${said}, ${signature}`
}

/** A call in words: the name of the tool, and the words of its command, or the file that it is about. */
function calledText({ tool, args, does }: ToolEvent, { salt, published: known, about }: SafetyTerms): SafeText {
  const name = safeName(tool, salt)
  const line = commandLine(args)
  if (line !== null) return safe`${name}: ${commandText(line, known)}`
  // Some programs give a command line as the name of its tool.
  if (does !== undefined && /\s/.test(tool)) return commandText(tool, known)
  return about == null ? name : safe`${name} ${safePath(about, salt)}`
}

function commandText(line: string, known: readonly string[]): SafeText {
  return known.includes(line.trim()) ? published(line.trim()) : describedCommand(line)
}

/** The command line that a tool was given; null for a tool that runs none. */
export function commandLine(args: unknown): string | null {
  const { command, cmd, script } = objectOrNull(args) ?? {}
  const line: unknown = [command, cmd, script].find(it => it !== undefined)
  if (Array.isArray(line)) return line.filter(it => typeof it === 'string').join(' ')
  return typeof line === 'string' ? line : null
}

function safeCheck(event: CheckEvent, terms: SafetyTerms): SafeCheck {
  const { id, command, result, output, signature: given, tree } = event
  const { salt, published: known } = terms
  const name = known.includes(id) ? published(id) : idText(id, salt)
  const key = `${id}: ${command}`
  const isTimeout = result === 'timeout'
  const isFailure = result !== 'passed'
  const computed = isFailure ? failureOf(key, output, { ...terms, isTimeout }) : null
  const failure = computed && given !== undefined ? { ...computed, signature: fingerprint(given, salt) } : computed
  const described = commandText(command, known)
  const ended = safeName(result, salt)
  return {
    kind: 'check',
    id: name,
    command: described,
    checked: result,
    isTimeout,
    isPoll: false,
    failure,
    key: fingerprint(key, salt),
    what: checkText(name, described),
    ended: failure ? failureText(ended, output, { ...terms, failure }) : ended,
    result: failure?.signature ?? ended,
    ...(tree !== undefined && { tree }),
  }
}

// A program may use the command as the id.
function idText(id: string, salt: string): SafeText {
  return /\s/.test(id) ? describedCommand(id) : safeName(id, salt)
}

function checkText(id: SafeText, command: SafeText): SafeText {
  return id === command ? safe`check ${command}` : safe`check ${id}: ${command}`
}

/** A run of a check as the ledger has it: with the command of the registry, and the signature of its error. */
export type LedgerCheck = { readonly command: string; readonly checked: CheckResult; readonly signature: unknown }

/** The event of such a run of a check. */
export function ledgerCheckEvent({ command, checked, signature: stored }: LedgerCheck): SafeCheck {
  const text = published(command)
  const signature = storedFingerprint(stored) ?? fingerprint(command, '')
  const failure = checked === 'passed' ? null : { signature, isInfrastructure: false }
  const ended = safe`${published(checked)}`
  return {
    kind: 'check',
    id: text,
    command: text,
    what: checkText(text, text),
    key: text,
    checked,
    failure,
    ended: failure ? safe`${ended}, signature ${signature}` : ended,
    result: failure?.signature ?? ended,
    isTimeout: checked === 'timeout',
    isPoll: false,
  }
}
