import { isAbsolute, dirname, resolve } from 'node:path'
import type { Heard, Moment, Reply } from '../agents/adapter.ts'
import { answersText } from '../context/answers.ts'
import { callOf, runsCommand } from '../gate/hear-call.ts'
import { judgeBlindly } from '../gate/judge-tool.ts'
import { ownCall } from '../gate/own-tool.ts'
import type { ToolCall } from '../gate/tool-call.ts'
import { answersFor } from '../workspace/answers.ts'
import { leaveKnock } from '../workspace/knocks.ts'
import { forgetSeen } from '../workspace/seen.ts'
import { afterTool } from './after-tool.ts'
import { type Governed, governedAt } from './governed.ts'
import { judgeCall, replyFor } from './judge-call.ts'
import { recordEvent } from './record-event.ts'
import { judgeSettings } from './settings.ts'

/** What an agent said that could be understood. */
export type Said = Exclude<Heard, { problem: string }>

const SILENCE: Reply = { kind: 'silence' }

/** Answers an agent's hook, which runs in `here`; what the agent does is taken down as well. */
export async function answerTo(said: Said, here: string): Promise<Reply> {
  const call = await callIn(said)
  if (isNothing(said, call)) return SILENCE
  const cwd = resolve(here, said.cwd ?? '.')
  const place = await governedAt([cwd, here, ...foldersOf(call)])
  return place ? answerIn(place, { said, call, cwd }) : SILENCE
}

// Most uses of a tool only read, and nobody has to know where.
function isNothing({ event, moment }: Said, call: ToolCall | null): boolean {
  if (event || !moment) return event === null
  if (moment.at !== 'before-tool' || !call) return moment.at === 'stop'
  return judgeBlindly(call)?.kind === 'allow' && !ownCall(moment.tool, moment.input)
}

type Asking = { readonly said: Said; readonly call: ToolCall | null; readonly cwd: string }

async function answerIn(place: Governed, { said, call, cwd }: Asking): Promise<Reply> {
  const { session, event, moment } = said
  if (moment?.at === 'before-tool' && call) return beforeTool(place, { said, call, cwd })
  if (moment?.at === 'settings-change') return judgeSettings(place, { agent: said.agent, path: moment.path, cwd })
  const window = await recordEvent(place, event, cwd)
  if (event?.event === 'session-end') await forgetSeen(place, session)
  if (moment?.at === 'after-tool' && call) {
    const done = { call, cwd, input: moment.input, event, window }
    return withAnswers(place, session, await afterTool(place, done))
  }
  if (!moment || !TELLING.has(moment.at)) return SILENCE
  // To gather what an agent is told takes long, and is seldom asked for.
  const { tellContext } = await import('./tell-context.ts')
  return withAnswers(place, session, await tellContext(place, session))
}

/** What a person has answered meanwhile is told as well; after a denial it waits until the next time. */
async function withAnswers(place: Governed, session: string, reply: Reply): Promise<Reply> {
  if (reply.kind === 'deny' || reply.kind === 'ask') return reply
  const answers = await answersFor(place, session, 'hook').catch(() => [])
  if (answers.length === 0) return reply
  const told = reply.kind === 'context' ? [reply.text] : []
  return { kind: 'context', text: [...told, answersText(answers)].join('\n') }
}

const TELLING: ReadonlySet<Moment['at']> = new Set(['prompt', 'session-start', 'compacted'])

async function beforeTool(place: Governed, { said, call, cwd }: Asking & { call: ToolCall }): Promise<Reply> {
  const { session, agent, model, event, moment } = said
  const own = isUse(moment) ? ownCall(moment.tool, moment.input) : null
  // Without it the server speaks for a session of its own, which is no reason to stop anybody.
  if (own) await leaveKnock(place, { session, agent, model, ...own }).catch(() => {})
  const verdict = await judgeCall(place, call, cwd)
  // What a person is asked about may come to pass.
  if (verdict.kind !== 'deny') await recordEvent(place, event, cwd)
  return replyFor(verdict)
}

async function callIn({ agent, session, moment }: Said): Promise<ToolCall | null> {
  if (!isUse(moment)) return null
  const asked = { agent, session, tool: moment.tool, input: moment.input }
  // Most calls run no command, and what understands one takes its time to load.
  const { readShell } = runsCommand(moment) ? await import('../gate/shell/read-shell.ts') : { readShell: nothing }
  return callOf(asked, readShell)
}

function isUse(moment: Moment | null): moment is Extract<Moment, { tool: string }> {
  return moment?.at === 'before-tool' || moment?.at === 'after-tool'
}

function nothing(): never {
  throw new Error('A command is to be read by nobody.')
}

/** An agent may have gone elsewhere, and write here all the same. */
function foldersOf(call: ToolCall | null): string[] {
  return (call?.targets ?? []).flatMap(({ path }) => (isAbsolute(path) ? [dirname(path)] : [])).slice(0, FOLDERS_MAX)
}

const FOLDERS_MAX = 20
