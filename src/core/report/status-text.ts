import { findingCounts, untitledFindingLines } from './finding-lines.ts'
import type { Session } from '../intents/session.ts'
import type { Finding } from '../base/finding.ts'
import { type AgentRequest, approveCommand } from '../intents/request.ts'
import type { DeclarationConflict } from '../code/map/conflicts.ts'
import type { PolicyIntent } from '../intents/scope/policy.ts'
import type { Resolution, ResolutionStep } from '../rules/resolve-intents.ts'
import type { SharedClaim } from '../intents/claim.ts'
import { type ClaimState, claimLine, elsewhereText } from './claim-line.ts'
import { conflictLine } from './conflict-lines.ts'
import { extentText, type LedgerExtent } from '../ledger/ledger-extent.ts'
import { momentText } from './local-time.ts'
import { type StoppedRun, stoppedRunLines } from './stopped-run.ts'
import { plural, printable } from '../base/printable.ts'

/** The intents that a commit of what is staged would be for, and what shows it; else the owners of it, as words. */
export type NextCommit = Resolution & { readonly owners: string }

/** The answer of `kotef status`; its JSON is public. */
export type StatusReport = {
  readonly root: string
  /** False where neither the worktree nor HEAD has a registry. */
  readonly governed: boolean
  /** What can't be read, so that the intent is not known; null when it is known, or there is none. */
  readonly unknown: 'the policy' | 'a session' | null
  /** HEAD's commit; null while it is unborn. */
  readonly head: string | null
  readonly intent: PolicyIntent | null
  readonly session: Session | null
  /** Without a session, the open intents for work that own a changed file, with how many of these. */
  readonly work: readonly { readonly intent: string; readonly name: string; readonly files: number }[]
  /** What a commit of what is staged would be for; null where nothing is staged. */
  readonly commit: NextCommit | null
  /** All live sessions of this worktree, oldest first. */
  readonly sessions: readonly Session[]
  /** The commands of agents that run now: what changes meanwhile counts as theirs, with a doubt. */
  readonly running: readonly { readonly agent: string; readonly session: string; readonly since: string }[]
  /** The claim on that intent; null when no session holds it. */
  readonly claim: ClaimState | null
  /** The claims of other clones, as of the last sync. */
  readonly elsewhere: readonly (SharedClaim & { readonly intent: string })[]
  readonly daemon:
    | { readonly running: true; readonly pid: number; readonly since: string }
    /** `starting`: a hook has just begun to start one. */
    | { readonly running: false; readonly starting: boolean }
  /** `closed` is a line about the ledger before this one, when that was closed. */
  readonly ledger: {
    readonly records: number
    readonly head: string | null
    readonly closed: string | null
    readonly extent: LedgerExtent
  }
  /** Paths whose current content has no record. */
  readonly untraced: readonly string[]
  readonly outOfScope: readonly string[]
  /** What a push of HEAD would find in its commits. */
  readonly push: readonly Finding[]
  /** The number of commits whose notes no remote has got. */
  readonly unsharedNotes: number
  /** The declarations that live sessions of different intents are changing at this time. */
  readonly conflicts: readonly DeclarationConflict[]
  /** The runs of agents that were stopped and wait for a person, the latest stop first. */
  readonly stopped: readonly StoppedRun[]
  /** The requests of agents that wait for a person's answer. */
  readonly requests: readonly AgentRequest[]
  readonly problems: readonly string[]
}

/** A status as text. */
export function statusText(status: StatusReport, now: number): string {
  const { intent, session, sessions, claim, daemon, ledger } = status
  if (!status.governed) return NOT_GOVERNED
  return [
    ...stoppedRunLines(status.stopped),
    `intent   ${intent ? `${intent.id} ${intent.name} (${intent.status})` : noIntentText(status)}`,
    ...status.work.map(it => `         ${workText(it)}`),
    `session  ${session ? sessionText(session, now) : 'none'}`,
    ...sessions.filter(it => it.id !== session?.id).map(it => `         ${it.intent}: ${sessionText(it, now)}`),
    ...status.running.map(it => `running  ${runningText(it, now)}`),
    ...(claim ? [`claim    ${isHeldBy(claim, session) ? 'held by this session' : claimLine(claim, now)}`] : []),
    ...status.elsewhere.map(it => `         ${it.intent} is held in ${elsewhereText(it, now)}`),
    ...(status.commit ? [`commit   ${commitText(status.commit)}`] : []),
    `daemon   ${daemonText(daemon, now)}`,
    `ledger   ${plural(ledger.records, 'record')}${extentText(ledger.extent)}`,
    ...(ledger.closed === null ? [] : [`         ${ledger.closed}`]),
    ...unsharedLine(status.unsharedNotes),
    ...statusRequestLines(status.requests),
    ...pushLines(status.push),
    ...pathSection('not in the ledger', status.untraced),
    ...pathSection(session ? 'outside the intent' : 'outside every intent', status.outOfScope),
    ...status.conflicts.map(it => `conflict ${conflictLine(it)}`),
    ...status.problems.map(it => `problem  ${it}`),
  ].join('\n')
}

function noIntentText({ unknown }: StatusReport): string {
  return unknown === null ? NO_INTENT : `not known, because ${unknown} can't be read: see the problem below`
}

function workText({ intent, name, files }: StatusReport['work'][number]): string {
  return `${intent} ${printable(name)}: ${plural(files, 'changed file')}`
}

function sessionText({ agent, claimedAt }: Session, now: number): string {
  return `${agent === null ? 'a person' : printable(agent)}, since ${momentText(claimedAt, now)}`
}

function runningText({ agent, since }: StatusReport['running'][number], now: number): string {
  const what = `a command of ${printable(agent)}, since ${momentText(since, now)}`
  return `${what}; if you save a file meanwhile, say so: \`kotef mine PATH\``
}

function commitText({ intents, by, owners }: NextCommit): string {
  if (by !== null) return `${intents.join(' and ')} (${STEP_WORDS[by]})`
  return `needs a trailer${owners === '' ? '' : `: ${owners}`}`
}

const STEP_WORDS: Readonly<Record<ResolutionStep, string>> = {
  message: 'its message',
  source: 'the commit that it belongs to',
  ledger: 'the staged lines were written for it',
  session: 'a live session',
  branch: 'of this branch',
  standing: 'what a standing intent serves',
  'only-owner': 'the only owner of what is staged',
}

function daemonText(daemon: StatusReport['daemon'], now: number): string {
  if (daemon.running) return `pid ${daemon.pid}, since ${momentText(daemon.since, now)}`
  return daemon.starting ? 'starting' : NO_DAEMON
}

function isHeldBy({ claim }: ClaimState, session: Session | null): boolean {
  return claim !== null && claim.session === session?.id
}

function unsharedLine(count: number): string[] {
  return count === 0 ? [] : [`notes    of ${plural(count, 'commit')} not shared yet: \`kotef sync\``]
}

function statusRequestLines(requests: readonly AgentRequest[]): string[] {
  return requests.map(
    ({ id, intent, agent, wants }) =>
      `request  ${printable(agent)} asks for ${wants.map(printable).join(', ')} (${intent}): \`${approveCommand(id)}\``,
  )
}

function pushLines(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return []
  const stops = findings.some(it => it.level === 'block')
  const title = `push     ${stops ? 'will be stopped' : 'is not stopped'}: ${findingCounts(findings)}`
  return [title, ...untitledFindingLines(findings, PUSH_FINDINGS_MAX)]
}

function pathSection(title: string, paths: readonly string[]): string[] {
  const shown = paths.slice(0, SECTION_PATHS_MAX).map(it => `  ${printable(it)}`)
  const more = paths.length - shown.length
  return paths.length === 0 ? [] : [`${title}:`, ...shown, ...(more > 0 ? [`  … and ${more} more`] : [])]
}

const NOT_GOVERNED = 'kotef does not govern this repository. Set it up with `kotef init`'
const PUSH_FINDINGS_MAX = 10
const NO_INTENT = 'none; start one with `kotef intent start <id>`'
const NO_DAEMON = 'not running; start it with `npx kotef-watch`'
const SECTION_PATHS_MAX = 20
