import { isAbsolute, dirname, resolve } from 'node:path'
import type { DecodeResult, HookPoint, Reply } from '../agents/adapter.ts'
import { requestAnswersText } from '../context/request-answers.ts'
import { parseToolCall, runsCommand } from '../gate/parse-tool-call.ts'
import { judgeWithoutFacts } from '../gate/judge-tool.ts'
import { ownToolCall } from '../gate/own-tool-call.ts'
import type { ToolCall } from '../gate/tool-call.ts'
import { takeAnswers } from '../approvals/answer-inbox.ts'
import { announceCall } from '../agent-activity/call-announcements.ts'
import { forgetVersions } from '../agent-activity/file-versions.ts'
import { answerAfterTool } from './after-tool.ts'
import { type LightWorktree, findGovernedWorktree } from './governed-worktree.ts'
import { judgeToolCall, replyToVerdict } from './judge-tool-call.ts'
import { recordHookEvent } from './record-hook-event.ts'
import { judgeSettings } from './judge-settings.ts'

/** What an agent said that could be understood. */
export type HookCall = Exclude<DecodeResult, { problem: string }>

const SILENCE: Reply = { kind: 'silence' }

/** Answers an agent's hook, which runs in `here`; what the agent does is taken down as well. */
export async function answerHook(hookCall: HookCall, here: string): Promise<Reply> {
  const call = await toolCallIn(hookCall)
  if (needsNoAnswer(hookCall, call)) return SILENCE
  const cwd = resolve(here, hookCall.cwd ?? '.')
  const worktree = await findGovernedWorktree([cwd, here, ...targetFolders(call)])
  return worktree ? answerInWorktree(worktree, { hookCall, call, cwd }) : SILENCE
}

// Most uses of a tool only read, and nobody has to know where.
function needsNoAnswer({ event, point }: HookCall, call: ToolCall | null): boolean {
  if (event || !point) return event === null
  if (point.at !== 'before-tool' || !call) return point.at === 'stop'
  return judgeWithoutFacts(call)?.kind === 'allow' && !ownToolCall(point.tool, point.input)
}

type HookRequest = { readonly hookCall: HookCall; readonly call: ToolCall | null; readonly cwd: string }

async function answerInWorktree(worktree: LightWorktree, { hookCall, call, cwd }: HookRequest): Promise<Reply> {
  const { session, event, point } = hookCall
  if (point?.at === 'before-tool' && call) return answerBeforeTool(worktree, { hookCall, call, cwd })
  if (point?.at === 'settings-change') return judgeSettings(worktree, { agent: hookCall.agent, path: point.path, cwd })
  const window = await recordHookEvent(worktree, event, cwd)
  if (event?.event === 'session-end') await forgetVersions(worktree, session)
  if (point?.at === 'after-tool' && call) {
    const use = { call, cwd, input: point.input, event, window }
    return withRequestAnswers(worktree, session, await answerAfterTool(worktree, use))
  }
  if (!point || !CONTEXT_POINTS.has(point.at)) return SILENCE
  // To gather what an agent is told takes long, and is seldom asked for.
  const { contextReply } = await import('./context-reply.ts')
  return withRequestAnswers(worktree, session, await contextReply(worktree, session))
}

/** What a person has answered meanwhile is told as well; after a denial it waits until the next time. */
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
  { hookCall, call, cwd }: HookRequest & { call: ToolCall },
): Promise<Reply> {
  const { session, agent, model, event, point } = hookCall
  const own = isToolPoint(point) ? ownToolCall(point.tool, point.input) : null
  // Without it the server speaks for a session of its own, which is no reason to stop anybody.
  if (own) await announceCall(worktree, { session, agent, model, ...own }).catch(() => {})
  const verdict = await judgeToolCall(worktree, call, cwd)
  // What a person is asked about may come to pass.
  if (verdict.kind !== 'deny') await recordHookEvent(worktree, event, cwd)
  return replyToVerdict(verdict)
}

async function toolCallIn({ agent, session, point }: HookCall): Promise<ToolCall | null> {
  if (!isToolPoint(point)) return null
  const asked = { agent, session, tool: point.tool, input: point.input }
  // Most calls run no command, and what understands one takes its time to load.
  const { readShell } = runsCommand(point) ? await import('../gate/shell/read-shell.ts') : { readShell: rejectCommand }
  return parseToolCall(asked, readShell)
}

function isToolPoint(point: HookPoint | null): point is Extract<HookPoint, { tool: string }> {
  return point?.at === 'before-tool' || point?.at === 'after-tool'
}

function rejectCommand(): never {
  throw new Error('A command is to be read by nobody.')
}

/** An agent may have gone elsewhere, and write here all the same. */
function targetFolders(call: ToolCall | null): string[] {
  return (call?.targets ?? []).flatMap(({ path }) => (isAbsolute(path) ? [dirname(path)] : [])).slice(0, FOLDERS_MAX)
}

const FOLDERS_MAX = 20
