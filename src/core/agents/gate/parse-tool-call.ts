import type { ToolClass } from '../tool-names.ts'
import { inputFields, type ToolUse } from '../tool-use.ts'
import type { ShellEffects } from './shell/effect.ts'
import type { Target } from '../tool-targets.ts'
import { objectOrNull, type Payload } from '../../base/payload.ts'
import { shellQuoted } from '../../base/printable.ts'

/** A decoded use of a tool, and by whom. */
type ToolRequest = Pick<ToolCall, 'agent' | 'session'> & ToolUse

/** Reads a command line that starts in a folder; null for a line, or a folder, that is not known. */
export type ReadShell = (command: string | null, from: string | null) => ShellEffects

/** The call that the gate judges: for a command, `readShell` finds its targets. */
export function parseToolCall(request: ToolRequest, readShell: ReadShell): ToolCall {
  const { agent, session, tool, class: kind, input } = request
  if (kind !== 'execute')
    // The targets named by the tools inside `batch` are not judged: it is denied as a write without targets.
    return { agent, session, tool, class: kind, targets: tool === 'batch' ? [] : request.targets, shell: null, input }
  const fields = inputFields(request.input)
  const from = commandFolder(fields, tool, agent)
  const read = readCommandLines(commandLines(fields, tool), from, readShell)
  const asRun = /powershell/i.test(tool)
    ? asUnread(read, 'kotef does not read PowerShell')
    : withRunFields(read, fields)
  const shell = withUnknownFolder(asRun, { agent, from })
  return { agent, session, tool, class: kind, targets: shell.targets, shell, input }
}

// It is read as a line for bash, so what it would write is not known, but what it mentions is.
function asUnread(shell: ShellEffects, why: string): ShellEffects {
  return { ...shell, kind: 'opaque', targets: [], why }
}

/**
 * A command that another program than a shell of the system runs, or with other variables or input, is opaque. No
 * other field counts: of folders each tool has one that it reads, and time, output and sandbox change nothing that is
 * written.
 */
function withRunFields(shell: ShellEffects, fields: Payload): ShellEffects {
  const changes = Object.entries(fields).find(([name, value]) => {
    if (isEmpty(value)) return false
    const field = name.toLowerCase().replace(/[_-]/g, '')
    if (SHELL_FIELDS.has(field)) return typeof value !== 'string' || !SYSTEM_SHELL.test(value)
    return RUN_FIELDS.has(field)
  })
  return changes ? asUnread(shell, `kotef does not know what ${changes[0]} makes of it`) : shell
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === '' || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

// Without `_` and `-`, in lower case.
const SHELL_FIELDS: ReadonlySet<string> = new Set(
  'shell shellpath shellprogram interpreter executable program binary exec argv0'.split(' '),
)
const RUN_FIELDS: ReadonlySet<string> = new Set(
  'env environment envs envvars environmentvariables envfile variables stdin chars preamble rcfile initfile'.split(' '),
)
const SYSTEM_SHELL =
  /^(?:\/(?:usr\/(?:local\/)?)?bin\/|\/opt\/homebrew\/bin\/|\/run\/current-system\/sw\/bin\/)?(?:sh|bash|dash|ash|zsh)$/

/** Reads each line by itself and all as one script: a quote that ends in one reading may begin in the other. */
function readCommandLines(lines: readonly string[], from: string | null, readShell: ReadShell): ShellEffects {
  const whole = readShell(lines.length === 0 ? null : lines.join('\n'), from)
  return lines.length < 2 ? whole : lines.map(it => readShell(it, from)).reduce(mergeEffects, whole)
}

function mergeEffects(some: ShellEffects, other: ShellEffects): ShellEffects {
  const kind = [some, other].find(it => it.kind === 'opaque')?.kind ?? (some.kind === 'write' ? 'write' : other.kind)
  return {
    kind,
    targets: [...new Map([...some.targets, ...other.targets].map(it => [JSON.stringify(it), it])).values()],
    why: some.why ?? other.why,
    switches: [...new Set([...some.switches, ...other.switches])],
    asksHooks: some.asksHooks || other.asksHooks,
    folders: [...new Set([...some.folders, ...other.folders])],
    loads: [...some.loads, ...other.loads],
    interactive: some.interactive || other.interactive,
    runs: [...some.runs, ...other.runs],
  }
}

/**
 * Some agents start a command in another folder without saying so: by a parameter that their hooks don't get, or in a
 * shell that stays open. A relative target is then judged from the session's folder, and the command counts as opaque,
 * so that its recorded writes are judged afterwards.
 */
function withUnknownFolder(shell: ShellEffects, { agent, from }: { agent: string; from: string | null }): ShellEffects {
  const isFolderKnown = !/^(codex|copilot|cursor)$/.test(agent) || from !== '' || shell.kind === 'opaque'
  if (isFolderKnown || shell.targets.every(it => it.path.startsWith('/'))) return shell
  return { ...shell, kind: 'opaque', why: `${agent} does not say in which folder it runs` }
}

/** One use of a tool by any agent, as the gate judges it. All of it is untrusted text. */
export type ToolCall = {
  readonly agent: string
  readonly session: string
  readonly tool: string
  readonly class: ToolClass
  /** The paths that it names as written, as spelled; relative ones start in the agent's working folder. */
  readonly targets: readonly Target[]
  /** The effects of the command that it runs; null for a tool that runs none. */
  readonly shell: ShellEffects | null
  /** What the tool is given. */
  readonly input: unknown
}

/**
 * The command lines in a tool's input, in the field names of every agent; empty when they aren't known. When several
 * fields are present, the agent may run any of them, so all are returned.
 */
export function commandLines(input: Payload, tool: string): string[] {
  // Text typed into a running program is not a command line: its meaning depends on that program.
  if (/^write_(stdin|bash|powershell)$/.test(tool)) return []
  const fields = tool === 'run_commands' ? { ...input, commands: input['commands'] ?? bareCommandList(input) } : input
  // `exec` takes a bare text as JavaScript.
  const names = tool === 'exec' ? COMMAND_FIELDS.filter(it => it !== 'raw') : COMMAND_FIELDS
  return names.flatMap(it => (it === 'commands' ? linesOfCommands(fields[it]) : (lineOfCommand(fields[it]) ?? [])))
}

const COMMAND_FIELDS = ['command', 'cmd', 'commands', 'script', 'raw']

// Cline accepts one program with its arguments, or a bare list, in place of `commands`.
function bareCommandList(input: Payload): unknown {
  return 'args' in input ? [input] : input['raw']
}

/** Each command is a line for a shell, or a program and its arguments; empty when one of them is neither. */
function linesOfCommands(commands: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(commands) ? commands : [commands]
  const lines = list.map(it => (Array.isArray(it) ? null : lineOfCommand(it)))
  return lines.includes(null) ? [] : lines.filter(it => it !== null)
}

function lineOfCommand(command: unknown): string | null {
  if (typeof command === 'string') return command
  const { command: program, args = [] } = objectOrNull(command) ?? {}
  const words: unknown = Array.isArray(command) ? command : Array.isArray(args) ? [program, ...args] : []
  const isLine = Array.isArray(words) && words.length > 0 && words.every(it => typeof it === 'string')
  return isLine ? words.map(shellQuoted).join(' ') : null
}

/** The folder in which a tool's command starts, `''` for the agent's working folder; null when it is not known. */
export function commandFolder(input: Payload, tool: string, agent: string): string | null {
  const [, field = ''] = FOLDER_FIELDS.find(([use]) => use.test(`${agent} ${tool}`)) ?? []
  if (!KNOWN_AGENTS.test(agent) && FOLDER_FIELDS.some(([, it]) => (input[it] ?? '') !== '')) return null
  const folder = input[field] ?? ''
  return typeof folder === 'string' && !folder.startsWith('~') ? folder : null
}

// Each tool of an agent reads one field only, and ignores the others.
const FOLDER_FIELDS: readonly (readonly [use: RegExp, field: string])[] = [
  [/^codex (?:shell|shell_command|exec_command|local_shell)$/, 'workdir'],
  [/^opencode bash$/, 'workdir'],
  [/^gemini run_shell_command$/, 'dir_path'],
  [/^cursor Shell$/, 'working_directory'],
  [/^roo execute_command$/, 'cwd'],
]
const KNOWN_AGENTS = /^(?:claude|codex|copilot|cursor|gemini|opencode|cline|roo)$/
