import { parsePayload, shortTextOrNull } from '../base/payload.ts'
import { modelOrNull } from './models.ts'
import { ANNOUNCEMENT_MS_MAX, UNRELATED_ANNOUNCEMENT_MS_MAX } from '../base/thresholds.ts'

/** A file that an agent's hook leaves for the agent's MCP server: which session is about to call which tool. */
export type CallAnnouncement = {
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
  /** The ancestor processes of the hook, nearest first. */
  readonly pids: readonly number[]
}

/** Parses the text of an announcement; null when it is damaged. */
export function readAnnouncement(text: string): CallAnnouncement | null {
  const value = text.length > ANNOUNCEMENT_CHARACTERS_MAX ? null : parsePayload(text)
  if (value === null) return null
  const [session, agent, tool, host] = [value['session'], value['agent'], value['tool'], value['host']].map(
    shortTextOrNull,
  )
  const { at, pids, intent } = value
  if (!session || !agent || !tool || !host || !Number.isFinite(at) || !isPids(pids)) return null
  return {
    session,
    agent,
    tool,
    host,
    model: modelOrNull(value['model']),
    intent: shortTextOrNull(intent),
    at: at as number,
    pids,
  }
}

/** The longest announcement that is read; the hook writes no longer one. */
export const ANNOUNCEMENT_CHARACTERS_MAX = 32_768

function isPids(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= PIDS_MAX && value.every(it => Number.isInteger(it) && it > 1)
}

// Deeper than any real process tree.
const PIDS_MAX = 64

/** A call as the server receives it: the caller is unknown, only the server's own ancestor processes are. */
export type ReceivedCall = {
  readonly tool: string
  readonly intent: string | null
  readonly now: number
  readonly host: string
  /** Nearest first. */
  readonly pids: readonly number[]
  /** True when an announcement by an unrelated process may match too. */
  readonly allowUnrelated: boolean
}

/** The announcements that may be of a call, the likeliest first: nearest common ancestor, then recent, then oldest. */
export function matchingAnnouncements<T extends { readonly record: CallAnnouncement }>(
  all: readonly T[],
  call: ReceivedCall,
): T[] {
  const isMatch = ({ record }: T) => isAnnouncementOf(record, call)
  const rank = ({ record }: T) => [ancestorDistance(record, call), isRecent(record, call) ? 0 : 1, record.at] as const
  return all.filter(isMatch).sort((some, other) => compareRanks(rank(some), rank(other)))
}

function isAnnouncementOf(announcement: CallAnnouncement, call: ReceivedCall): boolean {
  if (announcement.host !== call.host || !isSameTool(announcement.tool, call.tool)) return false
  if (announcement.intent !== null && announcement.intent !== call.intent) return false
  const isRelated = ancestorDistance(announcement, call) < Infinity
  if (isRecent(announcement, call)) return isRelated || call.allowUnrelated
  return isRelated && announcementAge(announcement, call) <= ANNOUNCEMENT_MS_MAX
}

/** How many processes above the server its nearest common ancestor with the hook is; Infinity when there is none. */
export function ancestorDistance({ pids }: Pick<CallAnnouncement, 'pids'>, call: Pick<ReceivedCall, 'pids'>): number {
  const at = call.pids.findIndex(it => pids.includes(it))
  return at < 0 ? Infinity : at
}

// Each agent puts its own prefix before the name of a server's tool.
function isSameTool(spelling: string, tool: string): boolean {
  return spelling.endsWith(tool) && !/[a-z0-9]$/i.test(spelling.slice(0, -tool.length))
}

function isRecent(announcement: CallAnnouncement, call: ReceivedCall): boolean {
  return announcementAge(announcement, call) <= UNRELATED_ANNOUNCEMENT_MS_MAX
}

// Absolute: the clock may have been set back since.
function announcementAge({ at }: CallAnnouncement, { now }: ReceivedCall): number {
  return Math.abs(now - at)
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((it, n) => it !== other[n])
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
}
