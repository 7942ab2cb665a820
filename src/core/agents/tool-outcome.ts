import { objectOrNull, type Payload } from '../base/payload.ts'

/** How a tool call ended, as far as the payload of an agent's hook says it. */
export type ToolOutcome = {
  /** The end of what it printed or returned. */
  readonly output: string
  readonly isError: boolean
  /** The exit code of a command; null where none is known. */
  readonly exit: number | null
  readonly isTimeout: boolean
  /** A person stopped it: that says nothing about the work. */
  readonly isInterrupted: boolean
  /** It goes on in the background: how it ends is not known yet. */
  readonly goesOn: boolean
}

/** Reads how a call ended from the fields that the agents use for it; null when the payload has none of them. */
export function toolOutcome(payload: Payload): ToolOutcome | null {
  const response = RESPONSES.map(it => payload[it]).find(it => it !== undefined)
  const copy = objectOrNull(payload['postToolUse']) ?? objectOrNull(payload['tool_result'])
  const fields = objectOrNull(response) ?? copy
  const error = payload['error'] ?? fields?.['error']
  if (response === undefined && !copy && error === undefined) return null
  const output = [textOf(error), textOf(response ?? copy)].filter(it => it !== '').join('\n')
  const exit = exitOf(fields) ?? exitOf(payload) ?? exitIn(output)
  const hasFailed = SAYS_FAILED.some(([name, value]) => fields?.[name] === value)
  return {
    output: output
      .slice(-2 * OUTPUT_CHARS_MAX)
      .replace(FRAME, '')
      .slice(-OUTPUT_CHARS_MAX),
    isError: textOf(error) !== '' || hasFailed || (exit !== null && exit !== 0),
    exit,
    isTimeout: TIMED_OUT.test(output.slice(0, HEAD_CHARS)) || TIMED_OUT.test(output.slice(-HEAD_CHARS)),
    isInterrupted: payload['is_interrupt'] === true || fields?.['interrupted'] === true,
    goesOn: BACKGROUND_TASK.some(it => typeof fields?.[it] === 'string'),
  }
}

// What an agent adds to the output of a command: it differs each time, and says nothing about the work.
const FRAME = /^(?:<shellId: .*>|<exited with .*>|Process Group PGID: \d+|Chunk ID: \w+|Wall time: .*)\n?/gm

const RESPONSES = ['tool_response', 'toolResult', 'tool_output', 'result', 'output'] as const
const SAYS_FAILED = [
  ['success', false],
  ['resultType', 'failure'],
  ['is_error', true],
  ['isError', true],
] as const
const OUTPUT_CHARS_MAX = 16_000
const HEAD_CHARS = 300
const TIMED_OUT = /\b(?:timed out after|command timed out|timeout of \d+ ?m?s)\b/i

// In this order: node:test prints failures on stdout, vitest on stderr.
const TEXT_FIELDS = [
  'stdout',
  'stderr',
  'output',
  'textResultForLlm',
  'llmContent',
  'content',
  'text',
  'result',
  'message',
  'file',
]

function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (depth > DEPTH_MAX) return ''
  if (Array.isArray(value)) return joined(value.slice(0, PARTS_MAX).map(it => textOf(it, depth + 1)))
  const fields = objectOrNull(value)
  return fields ? joined(TEXT_FIELDS.map(it => textOf(fields[it], depth + 1))) : ''
}

const DEPTH_MAX = 3
const PARTS_MAX = 100

function joined(texts: readonly string[]): string {
  return texts.filter(it => it !== '').join('\n')
}

function exitOf(fields: Payload | null): number | null {
  const code = EXIT_FIELDS.map(it => fields?.[it] ?? objectOrNull(fields?.['metadata'])?.[it]).find(
    it => it !== undefined,
  )
  if (typeof code === 'number') return code
  // Claude Code reports `test`, `grep` or `diff` that end with 1 as a success, and says in words what that code means.
  return typeof fields?.['returnCodeInterpretation'] === 'string' ? 1 : null
}

const EXIT_FIELDS = ['exit_code', 'exitCode', 'exit']
const BACKGROUND_TASK = ['backgroundTaskId', 'background_task_id']

// Claude Code begins the error of a command with it, Codex and Copilot CLI end its output so.
function exitIn(output: string): number | null {
  const found = EXIT.exec(output.slice(0, HEAD_CHARS)) ?? EXIT.exec(output.slice(-HEAD_CHARS))
  return found ? Number(found[1]) : null
}

const EXIT = /^(?:<.*|\W*(?:process |command )?(?:exited with )?)(?:exit )?code:? (\d{1,3})\b/im
