import { objectOrNull, type Payload } from '../text/payload.ts'
import { shellQuoted } from '../text/printable.ts'

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
export function commandFolder(input: Payload, tool: string): string | null {
  const folder = input[FOLDER_FIELDS.get(tool) ?? ''] ?? ''
  return typeof folder === 'string' && !folder.startsWith('~') ? folder : null
}

// Each tool reads one field only, and ignores the others.
const FOLDER_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['shell', 'shell_command', 'exec_command', 'local_shell', 'bash'].map(it => [it, 'workdir'] as const),
  ['run_shell_command', 'dir_path'],
  ['Shell', 'working_directory'],
  ['execute_command', 'cwd'],
])
