import { objectOrNull, type Payload } from '../text/payload.ts'
import { shellQuoted } from '../text/printable.ts'

/**
 * The command lines that a tool is to run, in the words of every agent; none when they aren't known. Where several
 * words stand for it, each of them may be the one that runs.
 */
export function commandLines(input: Payload, tool: string): string[] {
  // What is typed into a program that already runs means what that program makes of it.
  if (/^write_(stdin|bash|powershell)$/.test(tool)) return []
  const given = tool === 'run_commands' ? { ...input, commands: input['commands'] ?? bareCommandList(input) } : input
  // A bare text is JavaScript to this one.
  const names = tool === 'exec' ? COMMAND_FIELDS.filter(it => it !== 'raw') : COMMAND_FIELDS
  return names.flatMap(it => (it === 'commands' ? linesOfCommands(given[it]) : (lineOfCommand(given[it]) ?? [])))
}

const COMMAND_FIELDS = ['command', 'cmd', 'commands', 'script', 'raw']

// Cline takes one program and its arguments, or a bare list, for a list of commands.
function bareCommandList(input: Payload): unknown {
  return 'args' in input ? [input] : input['raw']
}

/** Each of several commands is a line for a shell, or a program and its arguments. */
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

/** The folder in which a tool's command begins, `''` where the agent works; null when it can't be told. */
export function commandFolder(input: Payload, tool: string): string | null {
  const folder = input[FOLDER_FIELDS.get(tool) ?? ''] ?? ''
  return typeof folder === 'string' && !folder.startsWith('~') ? folder : null
}

// What a tool is given beside its own words, it doesn't heed.
const FOLDER_FIELDS: ReadonlyMap<string, string> = new Map([
  ...['shell', 'shell_command', 'exec_command', 'local_shell', 'bash'].map(it => [it, 'workdir'] as const),
  ['run_shell_command', 'dir_path'],
  ['Shell', 'working_directory'],
  ['execute_command', 'cwd'],
])
