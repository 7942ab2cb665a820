import { objectOrNull, type Payload } from '../text/payload.ts'
import { commandLines, commandFolder } from './command-lines.ts'
import type { ShellEffects } from './shell/effect.ts'
import { toolClassOf } from '../agents/tool-classes.ts'
import type { ToolCall } from './tool-call.ts'
import { targetsIn } from '../agents/tool-targets.ts'

/** A use of a tool as an agent's payload has it: what it is named, and what it is given. */
export type ToolRequest = Pick<ToolCall, 'agent' | 'session' | 'tool'> & { readonly input: unknown }

/**
 * Understands a command line that begins in a folder; null stands for what isn't known. What does that is loaded for
 * commands alone.
 */
export type ReadShell = (command: string | null, from: string | null) => ShellEffects

/** True for a use of a tool that runs a command, so that `callOf` needs a reader. */
export function runsCommand({ tool, input }: Pick<ToolRequest, 'tool' | 'input'>): boolean {
  return toolClassOf(tool, inputFields(input)) === 'execute'
}

/** What a use of a tool would do, by the names that the agents give to their tools and to what these are given. */
export function parseToolCall({ agent, session, tool, input }: ToolRequest, readShell: ReadShell): ToolCall {
  const given = inputFields(input)
  const kind = toolClassOf(tool, given)
  const from = commandFolder(given, tool)
  const shell =
    kind === 'execute'
      ? withUnknownFolder(readCommandLines(commandLines(given, tool), from, readShell), { agent, from })
      : null
  // What the tools that `batch` uses are given is for no hook to judge.
  const hasTargets = (kind === 'write' && tool !== 'batch') || kind === 'unknown'
  const targets = shell ? shell.targets : hasTargets ? targetsIn(given, { isKnown: kind === 'write' }) : []
  return { agent, session, tool, class: kind, targets, shell }
}

/** Each line may run by itself, or after the others in one shell: what ends a quote in one begins it in another. */
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
 * Some agents don't say where a command begins, but let it begin elsewhere: with a word that their hooks are not told,
 * or in a shell that goes on. What is relative is held to where it should be, and looked at again when it is done.
 */
function withUnknownFolder(shell: ShellEffects, { agent, from }: { agent: string; from: string | null }): ShellEffects {
  const isFolderKnown = !/^(codex|copilot|cursor)$/.test(agent) || from !== '' || shell.kind === 'opaque'
  if (isFolderKnown || shell.targets.every(it => it.path.startsWith('/'))) return shell
  return { ...shell, kind: 'opaque', why: `${agent} does not say in which folder it runs` }
}

// Some agents hand a patch over as bare text, or commands as a bare list.
function inputFields(input: unknown): Payload {
  return objectOrNull(input) ?? (typeof input === 'string' || Array.isArray(input) ? { raw: input } : {})
}
