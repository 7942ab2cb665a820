import { modelIn, payloadIn, textIn } from './payload.ts'

/** What an agent's hook leaves for the agent's MCP server: which session is about to call which tool. */
export type Knock = {
  readonly session: string
  readonly agent: string
  readonly model: string | null
  /** As the agent spells it, such as `mcp__kotef__select_active_intent`. */
  readonly tool: string
  /** The intent that is about to be selected, where it is known. */
  readonly intent: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  readonly host: string
  /** The processes that the hook came from, nearest first. */
  readonly pids: readonly number[]
}

/** Reads the text of a knock; null for what is none. */
export function readKnock(text: string): Knock | null {
  const value = text.length > CHARACTERS_MAX ? null : payloadIn(text)
  if (value === null) return null
  const [session, agent, tool, host] = [value['session'], value['agent'], value['tool'], value['host']].map(textIn)
  const { at, pids, intent } = value
  if (!session || !agent || !tool || !host || !Number.isFinite(at) || !isPids(pids)) return null
  return { session, agent, tool, host, model: modelIn(value['model']), intent: textIn(intent), at: at as number, pids }
}

/** The longest text that is read as a knock. */
export const CHARACTERS_MAX = 32_768

function isPids(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= PIDS_MAX && value.every(it => Number.isInteger(it) && it > 1)
}

const PIDS_MAX = 64

/** A call as the server gets it, which knows nothing of who calls but the processes that it comes from itself. */
export type Caller = {
  readonly tool: string
  readonly intent: string | null
  readonly now: number
  readonly host: string
  /** Nearest first. */
  readonly pids: readonly number[]
  /** True when a knock from elsewhere may be meant as well. */
  readonly strangers: boolean
}

/** The knocks that may announce a call, the likeliest first: of the nearest relative, then the one that came first. */
export function fitting<T extends { readonly knock: Knock }>(all: readonly T[], caller: Caller): T[] {
  const isFit = ({ knock }: T) => announces(knock, caller)
  const rank = ({ knock }: T) => [distanceOf(knock, caller), isRecent(knock, caller) ? 0 : 1, knock.at] as const
  return all.filter(isFit).sort((one, other) => compare(rank(one), rank(other)))
}

function announces(knock: Knock, caller: Caller): boolean {
  if (knock.host !== caller.host || !isNamed(knock.tool, caller.tool)) return false
  if (knock.intent !== null && knock.intent !== caller.intent) return false
  const isKin = distanceOf(knock, caller) < Infinity
  if (isRecent(knock, caller)) return isKin || caller.strangers
  return isKin && ageOf(knock, caller) <= KNOCK_MS_MAX
}

/** How far up the caller's line its nearest common ancestor with the hook is; Infinity when there is none. */
export function distanceOf({ pids }: Pick<Knock, 'pids'>, caller: Pick<Caller, 'pids'>): number {
  const at = caller.pids.findIndex(it => pids.includes(it))
  return at < 0 ? Infinity : at
}

// Each agent puts words of its own before the name of a server's tool.
function isNamed(spelling: string, tool: string): boolean {
  return spelling.endsWith(tool) && !/[a-z0-9]$/i.test(spelling.slice(0, -tool.length))
}

function isRecent(knock: Knock, caller: Caller): boolean {
  return ageOf(knock, caller) <= RECENT_MS
}

// The clock may have been set back since.
function ageOf({ at }: Knock, { now }: Caller): number {
  return Math.abs(now - at)
}

const RECENT_MS = 30_000

/** No knock is older: between the hook and the call, the agent may ask a person for leave. */
export const KNOCK_MS_MAX = 600_000

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((it, n) => it !== other[n])
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
}
