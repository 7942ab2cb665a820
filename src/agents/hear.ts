import type { Adapter, Heard } from './adapter.ts'
import { claude } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot, isCopilots } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { generic } from './generic.ts'
import { opencode } from './opencode.ts'
import { payloadIn } from './payload.ts'

/** The agents whose hooks kotef understands, by the name that stands in their configuration. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = {
  claude,
  codex,
  gemini,
  copilot,
  cursor,
  opencode,
  cline,
  generic,
}

/** The way to speak with an agent; one that kotef does not know is refused as most of them understand it. */
export function adapterOf(agent: string, text: string): Adapter {
  const payload = agent === 'claude' ? payloadIn(text) : null
  // It runs the hooks that were written for Claude Code, too, and understands none of their answers.
  if (payload && isCopilots(payload)) return copilot
  const problem = `kotef knows no agent of that name, only ${Object.keys(ADAPTERS).join(', ')}.`
  return (Object.hasOwn(ADAPTERS, agent) && ADAPTERS[agent]) || { ...generic, hear: () => ({ problem }) }
}

/** What an agent's hook tells with a payload. Nothing of the payload is in the problem: it may hold anything. */
export function hear(agent: string, text: string): Heard {
  const payload = payloadIn(text)
  const { hear: hearing } = adapterOf(agent, text)
  return payload || !Object.hasOwn(ADAPTERS, agent) ? hearing(payload ?? {}) : { problem: 'It is no JSON object.' }
}
