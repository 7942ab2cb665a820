import { inputFields, type ToolUse } from '../agents/tool-use.ts'
import { commandLines, commandFolder } from './command-lines.ts'
import type { ShellEffects } from './shell/effect.ts'
import type { ToolCall } from './tool-call.ts'

/** A decoded use of a tool, and by whom. */
type ToolRequest = Pick<ToolCall, 'agent' | 'session'> & ToolUse

/** Reads a command line that starts in a folder; null for a line, or a folder, that is not known. */
export type ReadShell = (command: string | null, from: string | null) => ShellEffects

/** The call that the gate judges: for a command, `readShell` finds its targets. */
export function parseToolCall(request: ToolRequest, readShell: ReadShell): ToolCall {
  const { agent, session, tool, class: kind } = request
  if (kind !== 'execute')
    // The targets named by the tools inside `batch` are not judged: it is denied as a write without targets.
    return { agent, session, tool, class: kind, targets: tool === 'batch' ? [] : request.targets, shell: null }
  const fields = inputFields(request.input)
  const from = commandFolder(fields, tool)
  const shell = withUnknownFolder(readCommandLines(commandLines(fields, tool), from, readShell), { agent, from })
  return { agent, session, tool, class: kind, targets: shell.targets, shell }
}

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
    interactive: some.interactive || other.interactive,
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
