import { objectIn, type Payload } from '../agents/payload.ts'
import { quoted } from '../report/printable.ts'
import { readShell } from './shell/read-shell.ts'
import { classOf } from './tool-classes.ts'
import type { ToolCall } from './tool-call.ts'
import { targetsIn } from './tool-targets.ts'

/** A use of a tool as an agent's payload has it: what it is named, and what it is given. */
export type Asked = Pick<ToolCall, 'agent' | 'session' | 'tool'> & { readonly input: unknown }

/** What a use of a tool would do, by the names that the agents give to their tools and to what these are given. */
export function callOf({ agent, session, tool, input }: Asked): ToolCall {
  // Some agents hand a patch over as bare text.
  const given = objectIn(input) ?? (typeof input === 'string' ? { raw: input } : {})
  const kind = classOf(tool, given)
  const shell = kind === 'execute' ? readShell(commandIn(given, tool)) : null
  const targets = shell ? shell.targets : kind === 'write' || kind === 'unknown' ? targetsIn(given) : []
  return { agent, session, tool, class: kind, targets, shell }
}

// What is typed into a program that already runs means what that program makes of it.
function commandIn(input: Payload, tool: string): string | null {
  if (/^write_(stdin|bash)$/.test(tool)) return null
  const command = input['command'] ?? input['cmd'] ?? input['commands'] ?? input['script'] ?? input['raw']
  if (typeof command === 'string') return command
  if (!Array.isArray(command) || !command.every(it => typeof it === 'string')) return null
  return 'commands' in input ? command.join('\n') : command.map(quoted).join(' ')
}
