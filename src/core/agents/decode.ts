import type { Adapter, DecodeResult } from './adapter.ts'
import { claude } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot, isCopilotPayload } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { generic } from './generic.ts'
import { opencode } from './opencode.ts'
import { parsePayload } from '../base/payload.ts'
import { toolOutcome } from './tool-outcome.ts'

/** The agents whose hooks kotef understands, by the name in their configuration (`kotef agent-hook <name>`). */
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

/** The adapter of an agent. For an unknown agent it is one whose every call is denied in the generic form. */
export function adapterOf(agent: string, text: string): Adapter {
  const payload = agent === 'claude' ? parsePayload(text) : null
  // Copilot runs Claude Code's hooks too, and understands none of their answers.
  if (payload && isCopilotPayload(payload)) return copilot
  const problem = `kotef knows no agent of that name, only ${Object.keys(ADAPTERS).join(', ')}.`
  return (Object.hasOwn(ADAPTERS, agent) && ADAPTERS[agent]) || { ...generic, decode: () => ({ problem }) }
}

/** Decodes the text of an agent's payload. The problem quotes nothing of the payload, which may hold anything. */
export function decodePayload(agent: string, text: string): DecodeResult {
  const payload = parsePayload(text)
  const { decode } = adapterOf(agent, text)
  if (!payload && Object.hasOwn(ADAPTERS, agent)) return { problem: 'It is not a JSON object.' }
  const decoded = decode(payload ?? {})
  if ('problem' in decoded || decoded.point?.at !== 'after-tool') return decoded
  return { ...decoded, outcome: toolOutcome(payload ?? {}) }
}
