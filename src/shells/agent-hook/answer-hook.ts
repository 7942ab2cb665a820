import { statSync } from 'node:fs'
import { isAbsolute, dirname, resolve } from 'node:path'
import type { FolderTest } from '../../core/agents/gate/shell/sure-folders.ts'
import type { HookCall, HookPoint, Reply } from '../../core/agents/adapter.ts'
import type { AgentEvent } from '../../core/agents/event.ts'
import { requestAnswersText } from '../../core/agents/context/request-answers.ts'
import { parseToolCall, type ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import { type GateVerdict, judgeWithoutFacts } from '../../core/agents/gate/judge-tool.ts'
import { type OwnToolCall, ownToolCall } from '../../core/agents/gate/own-tool-call.ts'
import { takeAnswers } from '../../world/approvals/answer-inbox.ts'
import { announceCall } from '../../world/recording/agent-activity/call-announcements.ts'
import { forgetReported } from '../../world/code/conflicts/reported-conflicts.ts'
import { forgetVersions } from '../../world/recording/agent-activity/file-versions.ts'
import { answerAfterTool, recordHookEvent } from './after-tool.ts'
import { conflictReply } from './conflict-reply.ts'
import { recordHandshakeRefusal } from './handshake-refusals.ts'
import { findGovernedWorktree, type LightWorktree } from './governed-worktree.ts'
import { judgeSettings } from './judge-settings.ts'
import { judgeInWorktree, replyToVerdict } from './judge-tool-call.ts'
import type { Reason } from '../../core/agents/gate/reasons.ts'
import type { RunEvent } from '../../core/runs/event.ts'
import type { SafeEvent } from '../../core/runs/safe-event.ts'
import { systemErrorCode } from '../../world/io/files/files.ts'
import { noteEvents } from '../../world/runs/run-files.ts'
import { eventsOfCall } from './call-events.ts'
import { judgeReadingHere, mayBeForbidden } from './forbidden-reading.ts'
import { folderFrom } from './folder-from.ts'
import { withLoadedFiles } from './loaded-files.ts'
import { isConstraintOfContract, refusalEvents } from '../../world/runs/refusal-events.ts'
import { learnFromCall, noteRefusedCall } from './call-lessons.ts'

const SILENCE: Reply = { kind: 'silence' }

/** The reply to a hook; `cacheUse` names what much of the program ran for, null when little of it did. */
export type AnsweredHook = { readonly reply: Reply; readonly cacheUse: string | null }

/** The folder in which a hook runs, and where it can print beside its answer. */
type HookPlace = { readonly cwd: string; readonly notify: Notify }

type Notify = (line: string) => void

/** Answers an agent's hook, and records what the agent does. */
export async function answerHook(hookCall: HookCall, { cwd: here, notify }: HookPlace): Promise<AnsweredHook> {
  const request = await hookRequest(hookCall, resolve(here, hookCall.cwd ?? '.'))
  if (needsNoAnswer(request) && !(await isReadingToJudge(request))) return { reply: SILENCE, cacheUse: null }
  const worktree = await findGovernedWorktree([request.cwd, here, ...otherFolders(request.call, request.cwd)])
  if (!worktree) return { reply: SILENCE, cacheUse: null }
  const reply = await answerInWorktree(worktree, request, notify)
  return { reply, cacheUse: cacheUseOf(request, reply) }
}

function cacheUseOf({ hookCall: { point }, verdict }: HookRequest, reply: Reply): string | null {
  if (point?.at === 'after-tool') return `after ${point.class}`
  if (point?.at !== 'before-tool' || verdict !== null) return null
  return reply.kind === 'deny' ? 'refused' : 'judged'
}

type HookRequest = {
  readonly hookCall: HookCall
  readonly cwd: string
  /** The call before or after which the hook runs; null at any other point. */
  readonly call: ToolCall | null
  /** The verdict on it, when it does not depend on the worktree. */
  readonly verdict: GateVerdict | null
  readonly own: OwnToolCall | null
  /** What is to be recorded. */
  readonly event: AgentEvent | null
}

async function hookRequest(hookCall: HookCall, cwd: string): Promise<HookRequest> {
  const { agent, session, point, event } = hookCall
  if (!isToolPoint(point)) return { hookCall, cwd, call: null, verdict: null, own: null, event }
  // Most calls run no command, and the reader of commands takes time to load.
  const { readShell } =
    point.class === 'execute'
      ? await import('../../core/agents/gate/shell/read-shell.ts')
      : { readShell: rejectCommand }
  const readHere = (command: string | null, from: string | null) => readShell(command, from, folderTest(cwd, from))
  const call = await withLoadedFiles(parseToolCall({ agent, session, ...point }, readHere), cwd)
  const recorded = call.shell?.kind === 'read' ? withoutWindow(event) : event
  return { hookCall, cwd, call, verdict: judgeWithoutFacts(call), own: ownToolCall(point), event: recorded }
}

function folderTest(cwd: string, from: string | null): FolderTest {
  return path => {
    try {
      return statSync(resolve(cwd, from ?? '', path)).isDirectory() ? 'folder' : 'other'
    } catch (thrown) {
      return systemErrorCode(thrown) === 'ENOENT' ? 'free' : 'other'
    }
  }
}

// What changes while a command only reads has another author.
function withoutWindow(event: AgentEvent | null): AgentEvent | null {
  if (event?.event === 'exec-end') return { ...event, event: 'read-end' }
  return event?.event === 'exec-start' ? null : event
}

function isToolPoint(point: HookPoint | null): point is Extract<HookPoint, { tool: string }> {
  return point?.at === 'before-tool' || point?.at === 'after-tool'
}

function rejectCommand(): never {
  throw new Error('Only a tool that runs commands has a command line.')
}

// Most calls only read, and are answered without looking for a worktree.
function needsNoAnswer({ hookCall: { point }, event, verdict, own }: HookRequest): boolean {
  if (event || !point) return event === null
  return point.at === 'before-tool' ? verdict?.kind === 'allow' && !own : point.at === 'stop'
}

async function isReadingToJudge({ hookCall: { point }, call, cwd }: HookRequest): Promise<boolean> {
  return point?.at === 'before-tool' && call !== null && mayBeForbidden(call, cwd)
}

async function answerInWorktree(worktree: LightWorktree, request: HookRequest, notify: Notify): Promise<Reply> {
  const { hookCall, call, cwd, event } = request
  const { session, agent, point } = hookCall
  if (point?.at === 'before-tool' && call) return answerBeforeTool(worktree, { ...request, call }, notify)
  if (point?.at === 'settings-change') return judgeSettings(worktree, { agent, path: point.path, cwd })
  const window = await recordHookEvent(worktree, event, cwd)
  if (event?.event === 'session-end') {
    await forgetVersions(worktree, session)
    await forgetReported(worktree, session)
    // What comes later is not of this session.
    await inRuns(it => it.endRunOf(worktree, session))
  }
  if (point?.at === 'after-tool' && call) {
    const { reply, versions, broken } = await answerAfterTool(worktree, { call, use: point, cwd, event, window })
    await countRefusal(worktree, session, { reasons: broken.filter(it => isConstraintOfContract(it.code)) })
    const { outcome = null } = hookCall
    const written = event?.event === 'write' ? versions.map(([path]) => path) : []
    const conflicts = await conflictReply(worktree, session, written).catch(() => SILENCE)
    const events = eventsOfCall({ call, input: point.input, outcome, event, versions, isAtTop: cwd === worktree.root })
    const about = versions[0]?.[0] ?? null
    const counted = await countInRun(worktree, session, await eventsToKeep(worktree, session, { events, about }))
    // An agent does not wait for a lesson, and is not stopped by one.
    await learnFromCall(worktree, call, { input: point.input, events }).catch(() => {})
    return withRequestAnswers(worktree, session, joinedReply(joinedReply(reply, conflicts), counted))
  }
  if (point?.at === 'stop' && !point.endsTurn) return inRuns(it => it.replyToStop(worktree, session, event))
  if (beginsTurn(request)) await inRuns(it => it.beginTurnOf(worktree, session))
  if (!point || !CONTEXT_POINTS.has(point.at)) return SILENCE
  // Gathering the context loads most of kotef, and few hooks need it.
  const { contextReply } = await import('./context-reply.ts')
  const reply = await contextReply(worktree, session, { isStart: point.at === 'session-start' })
  return withRequestAnswers(worktree, session, reply)
}

/** The events of a call as they may be stored, once the person at this machine has what they are about. */
async function eventsToKeep(
  worktree: LightWorktree,
  session: string,
  { events, about }: { readonly events: readonly RunEvent[]; readonly about: string | null },
): Promise<readonly SafeEvent[]> {
  if (events.length === 0) return []
  // What an agent may do is answered without them.
  const { keepForPerson, safeEvents } = await import('./safe-events.ts')
  await keepForPerson(worktree, session, events).catch(() => {})
  return safeEvents(worktree, events, about)
}

async function countRefusal(
  worktree: LightWorktree,
  session: string,
  { reasons }: Pick<GateVerdict, 'reasons'>,
): Promise<void> {
  const broken = reasons.filter(it => CONSTRAINTS.has(it.code))
  const events = await refusalEvents(worktree, broken)
  // A later call that writes is refused when they end the run.
  if (events.length > 0) await countInRun(worktree, session, events)
}

async function countInRun(worktree: LightWorktree, session: string, events: readonly SafeEvent[]): Promise<Reply> {
  const isDue = await noteEvents(worktree, session, events).catch(() => false)
  return isDue ? inRuns(it => it.countEvents(worktree, session, events)) : SILENCE
}

const CONSTRAINTS: ReadonlySet<Reason['code']> = new Set([
  ...(['scope-violation', 'path-forbidden', 'path-ignored', 'governance-plane'] as const),
  ...(['path-of-git', 'governance-off', 'constraint-path', 'constraint-command'] as const),
])

// A run only counts: a failure there is not a reason to stop an agent.
async function inRuns(work: (runs: typeof import('./session-run.ts')) => Promise<Reply | void>): Promise<Reply> {
  const reply = await import('./session-run.ts').then(work).catch(() => SILENCE)
  return reply ?? SILENCE
}

function joinedReply(one: Reply, other: Reply): Reply {
  if (one.kind === 'silence' || other.kind === 'silence') return one.kind === 'silence' ? other : one
  return { ...one, text: `${one.text}\n${other.text}` }
}

// OpenCode runs the hook of a prompt at each request to the model.
function beginsTurn({ hookCall: { point }, event }: HookRequest): boolean {
  return event?.event === 'turn-end' && (point?.at === 'prompt' || point?.at === 'stop')
}

/** Adds a person's answers to the agent's requests. A denial is sent alone; the answers wait for the next hook. */
async function withRequestAnswers(worktree: LightWorktree, session: string, reply: Reply): Promise<Reply> {
  if (reply.kind === 'deny' || reply.kind === 'ask') return reply
  const answers = await takeAnswers(worktree, session, 'hook').catch(() => [])
  if (answers.length === 0) return reply
  const texts = reply.kind === 'context' ? [reply.text] : []
  return { kind: 'context', text: [...texts, requestAnswersText(answers)].join('\n') }
}

const CONTEXT_POINTS: ReadonlySet<HookPoint['at']> = new Set(['prompt', 'session-start', 'compacted'])

async function answerBeforeTool(
  worktree: LightWorktree,
  { hookCall, call, cwd, event, verdict: known, own }: HookRequest & { readonly call: ToolCall },
  notify: Notify,
): Promise<Reply> {
  const { session, agent, model } = hookCall
  // Without the announcement the server acts for a session of its own: that is not a reason to stop the agent.
  if (own) await announceCall(worktree, { session, agent, model, ...own }).catch(() => {})
  const { verdict, decided } = known
    ? { verdict: known.kind === 'allow' ? await readingVerdict(worktree, call, cwd) : known, decided: [] }
    : await judgeInWorktree(worktree, call, cwd)
  if (process.env['KOTEF_LOG'] === 'debug') for (const { path, row } of decided) notify(`kotef: ${path}: ${row}`)
  // A call that a person is asked about may still run.
  if (verdict.kind !== 'deny') await recordHookEvent(worktree, event, cwd)
  else {
    await countRefusal(worktree, session, verdict)
    await noteRefusedCall(worktree, call, verdict)
    // The refusal holds, whether or not the ledger has it.
    await recordHandshakeRefusal(worktree, call, verdict).catch(() => {})
  }
  return replyToVerdict(verdict)
}

async function readingVerdict(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<GateVerdict> {
  return (await mayBeForbidden(call, cwd)) ? judgeReadingHere(worktree, call, cwd) : { kind: 'allow', reasons: [] }
}

/** Where a call goes besides its folder: an agent can work elsewhere, and write into a governed worktree. */
function otherFolders(call: ToolCall | null, cwd: string): string[] {
  const entered = (call?.shell?.folders ?? []).map(it => folderFrom(cwd, it))
  const written = (call?.targets ?? []).flatMap(({ path }) => (isAbsolute(path) ? [dirname(path)] : []))
  return [...entered, ...written].slice(0, FOLDERS_MAX)
}

// Finding the worktree of a folder reads files, and the agent waits meanwhile.
const FOLDERS_MAX = 20
