import { hearClaude } from './claude.ts'
import type { Heard } from './event.ts'
import { hearGeneric } from './generic.ts'
import { type Payload, payloadIn } from './payload.ts'

const AGENTS: ReadonlyMap<string, (payload: Payload) => Heard> = new Map([
  ['claude', hearClaude],
  ['generic', hearGeneric],
])

/** What an agent's hook tells with a payload. Nothing of the payload is in the problem: it may hold anything. */
export function hear(agent: string, text: string): Heard {
  const hearing = AGENTS.get(agent)
  if (!hearing) return { problem: `kotef knows no agent of that name, only ${[...AGENTS.keys()].join(', ')}.` }
  const payload = payloadIn(text)
  return payload ? hearing(payload) : { problem: 'It is no JSON object.' }
}
