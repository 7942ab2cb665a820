import type { AgentEvent } from '../../core/agents/event.ts'
import type { ToolOutcome } from '../../core/agents/tool-outcome.ts'
import { inputFields } from '../../core/agents/tool-use.ts'
import type { FileVersion } from '../../world/recording/agent-activity/file-versions.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import type { EditEvent, RunEvent, ToolEvent } from '../../core/runs/event.ts'
import type { Payload } from '../../core/base/payload.ts'

/** A tool call that has ended, as far as a run counts it. */
type EndedCall = {
  readonly call: ToolCall
  readonly input: unknown
  readonly outcome: ToolOutcome | null
  readonly event: AgentEvent | null
  /** True when the agent works at the top of the worktree. */
  readonly isAtTop: boolean
  /** The files that the call has read or written, with their content. */
  readonly versions: readonly FileVersion[]
}

/** The events of a tool call for its session's run. */
export function eventsOfCall(ended: EndedCall): RunEvent[] {
  const { call, outcome } = ended
  if (outcome?.isInterrupted) return []
  if (call.class === 'meta') return planEvents(ended)
  return [...reportedEdits(ended), ...(outcome ? [toolEventOf(ended, outcome)] : [])]
}

// The tools with which agents keep their plan, under the names that their inputs have for it.
function planEvents({ call, input }: EndedCall): RunEvent[] {
  const { todos, plan, steps } = inputFields(input)
  const list = [todos, plan, steps].find(it => Array.isArray(it))
  if (!PLANS.test(call.tool) || !Array.isArray(list)) return []
  return [{ kind: 'plan', steps: list.length, next: '', reason: '' }]
}

const PLANS = /todo|plan/i

function toolEventOf(ended: EndedCall, outcome: ToolOutcome): ToolEvent {
  const { call, input } = ended
  const { output, isError, exit, isTimeout } = outcome
  const isCommand = call.class === 'execute'
  return {
    kind: 'tool',
    tool: call.tool,
    args: input,
    result: output,
    isError,
    isTimeout,
    ...(isCommand && { exit: exit ?? (isError ? null : 0), does: kindOfCommand(inputFields(input)) }),
    ...typedLine(ended, outcome),
    isPoll: call.class === 'read' || call.shell?.kind === 'read' || WAITS.test(commandText(inputFields(input))),
  }
}

// One that goes on in the background has not ended. Claude Code reports a command that failed by another event, without
// an exit code of one that succeeded.
function typedLine({ call, input, isAtTop }: EndedCall, outcome: ToolOutcome): Pick<ToolEvent, 'line'> {
  const { isError, exit, goesOn } = outcome
  const fields = inputFields(input)
  const line = commandText(fields)
  const isOver =
    !goesOn && !BACKGROUND.some(it => fields[it] === true) && (isError || exit === 0 || call.agent === 'claude')
  return call.class === 'execute' && isAtTop && isOver && line !== '' ? { line } : {}
}

const BACKGROUND = ['run_in_background', 'is_background', 'background', 'isBackground'] as const

// What only reads, or waits, may be asked again while something else goes on.
const WAITS = /\b(?:sleep|wait|watch|until|poll)\b/

function kindOfCommand(input: Payload): 'command' | 'test' | 'install' {
  const command = commandText(input)
  if (INSTALLS.test(command)) return 'install'
  return TESTS.test(command) ? 'test' : 'command'
}

const INSTALLS = /\b(?:npm|pnpm|yarn|bun|pip3?|poetry|cargo|bundle|composer|apt(?:-get)?) (?:i|ci|install|add)\b/
const TESTS = /\b(?:test|tests|vitest|jest|mocha|pytest|ctest|phpunit|rspec)\b/

/** The command of a call that runs tests, on one line; null for any other call. */
export function testCommand(input: unknown): string | null {
  const command = commandText(inputFields(input)).trim()
  return RUNS_TESTS.test(command) ? command : null
}

// The words of `TESTS` may be those of a path.
const RUNS_TESTS = new RegExp(
  [
    String.raw`\b(?:npm|pnpm|yarn|bun|deno|make|cargo|go|dotnet|mvn|gradlew?|mix|swift) (?:run )?test`,
    String.raw`(?:^|[\s/])(?:vitest|jest|mocha|pytest|ctest|phpunit|rspec)(?:\.m?js)?(?:\s|$)`,
    String.raw`\bnode .*--test\b`,
  ].join('|'),
)

function commandText({ command, cmd, commands }: Payload): string {
  const words = [command, cmd, commands].flat().filter(it => typeof it === 'string')
  return words.join(' ').slice(0, COMMAND_CHARS_MAX)
}

const COMMAND_CHARS_MAX = 10_000

// Only where the agent reports what was there before: no other program can have written in between.
function reportedEdits({ event, versions }: EndedCall): EditEvent[] {
  if (event?.event !== 'write' || event.before === undefined) return []
  const { before } = event
  return versions.slice(0, 1).map(([path, oid]) => ({ kind: 'edit', path, before, after: oid ?? null }))
}
