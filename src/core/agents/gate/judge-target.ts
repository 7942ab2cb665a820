import { printable } from '../../base/printable.ts'
import { firstRow } from '../../base/first-row.ts'
import type { AgentFreedom } from '../../intents/config.ts'
import type { EnforcedConstraint } from '../../intents/contract/enforced-constraints.ts'
import type { PathJudge } from '../../intents/scope/judge-path.ts'
import type { PathVerdict, PolicyIntent } from '../../intents/scope/policy.ts'
import { type HandoverRole, sessionOfPath, whyNotWritten } from '../../handover/port.ts'
import { isPluginFile } from '../plugin-files.ts'
import type { Reason } from './reasons.ts'
import {
  ASKED_FACTS,
  type AskedFact,
  type LocationFacts,
  TARGET_ROWS,
  type TargetLocation,
  type TargetRow,
} from './target-rows.ts'

/** What was asked for already: the locations of which each fact is true. */
export type FoundFacts = { readonly [F in AskedFact]?: ReadonlySet<TargetLocation> }

/** The intent that targets are judged by, and what is known beside it. */
export type TargetAuthority = {
  /** The session's role in a handover; null without one. */
  readonly role: HandoverRole | null
  readonly intent: PolicyIntent
  readonly judge: PathJudge
  readonly freedom: AgentFreedom
  /** The content that the session knows of each file. */
  readonly knownOids: ReadonlyMap<string, string | null>
  readonly found: FoundFacts
}

/** For a judgement that asks for nothing: of what a call does not remove, only what the scope owns may be written. */
export const NOTHING_FREE: Pick<TargetAuthority, 'freedom' | 'found'> = {
  freedom: { temporary: 'deny', ignored: 'deny' },
  found: {},
}

/** The facts of one target. It has several locations when links are in its path: its own name, and where they lead. */
export type TargetFact = {
  readonly spelling: string
  readonly locations: readonly TargetLocation[]
  /** True when the call only takes the name away. */
  readonly removes?: boolean
  /** True when the call makes a folder there. */
  readonly makesFolder?: boolean
  /** The blob oid of the current file; null when there is no file. */
  readonly currentOid: string | null
  /** For a folder: the same for each path below it that the session knows. */
  readonly currentOidsBelow?: ReadonlyMap<string, string | null>
}

/** A fact that a row reads and nobody has asked for yet. */
export type NeededFact = { readonly need: AskedFact; readonly location: TargetLocation; readonly target: TargetFact }

/** How a location was decided, by which row. */
export type DecidedLocation = { readonly path: string; readonly row: string }

export type TargetVerdict = {
  /** Why the target may not be written; null when it may. As long as facts are needed, none of them is true for it. */
  readonly reason: Reason | null
  readonly needs: readonly NeededFact[]
  readonly decided: readonly DecidedLocation[]
}

/** Whether a target may be written: each location must be, and its content must be as the session knows it. */
export function judgeTarget(target: TargetFact, authority: TargetAuthority): TargetVerdict {
  const decisions = target.locations.map(it => decide(it, target, authority))
  const decided = decisions.map(({ location, row }) => ({ path: pathOf(location, target), row: row.name }))
  const refused = decisions.find(it => it.reason !== null)
  if (refused) return { reason: refused.reason, needs: openFacts(decisions, target), decided }
  const isStale = decisions.some(it => it.row.answer === 'own' && hasChanged(it.location, target, authority))
  if (!isStale) return { reason: null, needs: [], decided }
  const stale = { path: target.spelling, row: 'stale' }
  return { reason: staleFile(target.spelling, authority.intent.id), needs: [], decided: [...decided, stale] }
}

type Decision = {
  readonly location: TargetLocation
  readonly row: TargetRow
  readonly reason: Reason | null
  /** The fact without which the row holds, and with which it may not; null when the row holds for certain. */
  readonly need: AskedFact | null
}

// What comes after a location that is refused for certain changes nothing.
function openFacts(decisions: readonly Decision[], target: TargetFact): NeededFact[] {
  const end = decisions.findIndex(it => it.reason !== null && it.need === null)
  const open = end < 0 ? decisions : decisions.slice(0, end)
  return open.flatMap(({ need, location }) => (need === null ? [] : [{ need, location, target }]))
}

function decide(location: TargetLocation, target: TargetFact, authority: TargetAuthority): Decision {
  const { facts, ...more } = factsOf(location, target, authority)
  const { row, need } = rowFor({ ...facts, isOnlyRemoved: isOnlyRemoved(location, target, authority) })
  const { answer } = row
  const refused = { path: pathOf(location, target), spelling: target.spelling, intent: authority.intent.id, ...more }
  return { location, row, need, reason: typeof answer === 'string' ? null : answer(refused) }
}

type KnownFacts = {
  readonly facts: Omit<Partial<LocationFacts>, 'isOnlyRemoved'>
  readonly detail: string
  readonly constraint: EnforcedConstraint | null
}

function factsOf(location: TargetLocation, target: TargetFact, authority: TargetAuthority): KnownFacts {
  const { intent, judge, role, freedom, found } = authority
  const path = pathOf(location, target)
  const isInside = location.kind === 'inside'
  const notForRole = isInside && role !== null ? whyNotWritten(path, role) : null
  const verdict = isInside ? judge(intent, path) : null
  const facts = {
    place: location.kind,
    isForRole: notForRole === null,
    scope: verdict?.kind ?? null,
    isOfHandover: sessionOfPath(path) !== null,
    mayBeFree: mayBeFree(location, freedom),
    ...Object.fromEntries(ASKED_FACTS.flatMap(it => (found[it] ? [[it, found[it].has(location)]] : []))),
  }
  const detail = notForRole ?? ('why' in location ? location.why : detailOf(verdict))
  return { facts, detail, constraint: verdict?.kind === 'constraint' ? verdict.constraint : null }
}

// While a fact is not known, the location is judged as if it were not free.
function rowFor(facts: Partial<LocationFacts>): Pick<Decision, 'row' | 'need'> {
  const found = firstRow<LocationFacts, TargetRow>(TARGET_ROWS, facts)
  if (found === null) throw new Error('The last row fits everything.')
  if (!('need' in found)) return { row: found, need: null }
  const need = found.need as AskedFact
  return { row: rowFor({ ...facts, [need]: false }).row, need }
}

function pathOf(location: TargetLocation, { spelling }: TargetFact): string {
  return 'path' in location ? location.path : spelling
}

function detailOf(verdict: PathVerdict | null): string {
  if (verdict === null) return ''
  return 'why' in verdict ? verdict.why : 'by' in verdict ? verdict.by : ''
}

function mayBeFree(location: TargetLocation, { temporary, ignored }: AgentFreedom): boolean {
  if (!('path' in location) || isPluginFile(location.path)) return false
  return location.kind === 'inside' ? ignored === 'allow' && !OWN_FILES.test(location.path) : temporary === 'allow'
}

// The ledger, the runs and the program of kotef: git ignores them, and still no agent may write them.
const OWN_FILES = new RegExp(
  '^\\.(?:orchestration|sdd|agents-work)(?:/|$)|' +
    '(?:^|/)node_modules(?:/.*)?/(?:kotef-watch(?:@[^/]*)?|\\.bin/kotef[^/]*)(?:/|$)',
  'i',
)

// A link has two locations, and one of them may be free; as long as that is not known, it counts as free.
function isOnlyRemoved(location: TargetLocation, target: TargetFact, authority: TargetAuthority): boolean {
  if (target.removes !== true || target.currentOidsBelow !== undefined) return false
  return target.locations.every(it => {
    if (it === location) return true
    const { row, need } = rowFor({ ...factsOf(it, target, authority).facts, isOnlyRemoved: false })
    return need !== null || row.answer === 'free'
  })
}

function hasChanged(location: TargetLocation, target: TargetFact, { knownOids }: TargetAuthority): boolean {
  const { currentOid, currentOidsBelow } = target
  const path = pathOf(location, target)
  return knownOids.has(path) && knownOids.get(path) !== (currentOidsBelow?.get(path) ?? currentOid)
}

function staleFile(path: string, intent: string): Reason {
  const message = `Stale File: ${printable(path)} has changed since this session last read or wrote it.`
  return {
    code: 'stale-file',
    message,
    path,
    intent,
    hint: 'Read the file again, and base the change on its current content.',
  }
}
