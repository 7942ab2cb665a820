import {
  type Adapter,
  type DecodeResult,
  type HookOutput,
  type HookPoint,
  jsonOutput,
  NO_OUTPUT,
  type Reply,
  replyText,
  type ReplyWithText,
} from './adapter.ts'
import type { Activity, CallIdentity } from './event.ts'
import { type Payload, parsePayload, shortTextOrNull } from '../base/payload.ts'
import { type Phase, toolEvent, toolUse } from './tool-use.ts'

/** An agent's hook protocol as a table: its hooks by their names, the fields of its payloads, and what it reads. */
export type AgentTable = {
  /** Its name, or where a payload says it. */
  readonly agent: string | ((payload: Payload) => string)
  readonly identity: (payload: Payload) => { readonly session: string; readonly name: string } | Problem
  readonly model?: (payload: Payload) => string | null
  /** Absent: the field `cwd`. */
  readonly cwd?: (payload: Payload) => string | null
  readonly transcript?: string
  /** What each of its hooks is; kotef neither records nor answers any other. */
  readonly hooks: Readonly<Record<string, Moment | ((payload: Payload) => Moment | PayloadContent)>>
  /** The tool that a payload names, and which use of it. */
  readonly tool: (payload: Payload) => NamedTool
  readonly answers: Answers
}

type Problem = { readonly problem: string }

/** `nameIn` is the field that must name the tool, where there is one. */
type NamedTool = CallIdentity & { readonly tool: string | null; readonly input: unknown; readonly nameIn?: string }

/** The content of one payload: an activity to record, and a point to answer. */
export type PayloadContent = { readonly activity: Activity | null; readonly point: HookPoint | null } | Problem

/** What a hook is. `start`, `end` and `failed` are those of a tool's use. */
type Moment = keyof typeof MOMENTS | 'stop' | Phase

const MOMENTS = {
  'session-start': { activity: { event: 'session-start' }, point: { at: 'session-start' } },
  compacted: { activity: { event: 'session-start' }, point: { at: 'compacted' } },
  'session-end': { activity: { event: 'session-end' }, point: { at: 'session-end' } },
  prompt: { activity: { event: 'turn-end' }, point: { at: 'prompt' } },
  // Of a subagent, or for one: the turn of the main agent goes on.
  'subagent-prompt': { activity: null, point: { at: 'prompt' } },
  'turn-end': { activity: { event: 'turn-end' }, point: null },
  'model-named': { activity: { event: 'model-named' }, point: null },
  nothing: { activity: null, point: null },
} as const satisfies Record<string, PayloadContent>

/** The answer to each kind of reply at each point; a question that has none is denied. */
export type Answers = {
  readonly at: { readonly [At in HookPoint['at'] | 'after-failure']?: AnswersAt }
  /** The answers at every other point; absent: none. */
  readonly elsewhere?: AnswersAt
  /** The denial of a payload that could not be decoded, which must block the agent at whatever point it is. */
  readonly undecoded: Answer
  /** The answer where there is nothing to say; absent: none is printed. */
  readonly nothing?: (at: HookPoint['at'] | null) => object
}

type AnswersAt = { readonly deny?: Answer; readonly ask?: Answer; readonly context?: Answer }
type Answer = (text: string) => object | HookOutput

/** The adapter that a table describes. */
export function adapterFrom(table: AgentTable): Adapter {
  return { decode: it => decodeBy(table, it), encode: (reply, point) => encodeBy(table.answers, reply, point) }
}

function decodeBy(table: AgentTable, payload: Payload): DecodeResult {
  const identity = table.identity(payload)
  if ('problem' in identity) return identity
  const { session, name } = identity
  const agent = typeof table.agent === 'string' ? table.agent : table.agent(payload)
  const content = contentOf({ ...table, agent }, name, payload)
  if ('problem' in content) return content
  const cwd = table.cwd ? table.cwd(payload) : textIn(payload, 'cwd')
  const model = table.model?.(payload) ?? null
  const transcript = table.transcript === undefined ? null : textIn(payload, table.transcript)
  const { activity, point } = content
  return {
    session,
    agent,
    cwd,
    model,
    event: activity && { session, agent, cwd, model, transcript, ...activity },
    point,
  }
}

function contentOf(table: AgentTable & { readonly agent: string }, name: string, payload: Payload): PayloadContent {
  const row = Object.hasOwn(table.hooks, name) ? table.hooks[name] : undefined
  const moment = typeof row === 'function' ? row(payload) : (row ?? 'nothing')
  if (typeof moment === 'object') return moment
  if (moment === 'stop') return stopContent(payload['stop_hook_active'] === true)
  return moment in MOMENTS
    ? MOMENTS[moment as keyof typeof MOMENTS]
    : toolContent(table.agent, moment as Phase, table.tool(payload))
}

/** The agent is about to stop; `isRepeated` when a hook already made it continue. */
export function stopContent(isRepeated: boolean): Exclude<PayloadContent, Problem> {
  return { activity: { event: 'turn-end' }, point: { at: 'stop', isRepeated } }
}

/** One use of a tool: to judge before it runs, and to record after it has run. */
export function toolContent(agent: string, phase: Phase, { tool, input, nameIn, ...call }: NamedTool): PayloadContent {
  if (tool === null) return { problem: nameIn === undefined ? 'It does not name its tool.' : `It has no ${nameIn}.` }
  const use = toolUse(agent, tool, input)
  const at = phase === 'start' ? 'before-tool' : 'after-tool'
  return {
    activity: toolEvent({ phase, use, call }),
    point: { at, ...(phase === 'failed' && { hasFailed: true }), ...use },
  }
}

/** A payload names its hook in one field, and its session in the first of some that it has. */
export function namedBy(hook: string, ...fields: readonly [string, ...string[]]): AgentTable['identity'] {
  return payload => {
    const session = textIn(payload, ...fields)
    const name = textIn(payload, hook)
    if (session === null) return { problem: `It has no ${fields[0]}.` }
    return name === null ? { problem: `It has no ${hook}.` } : { session, name }
  }
}

/** The text in the first of some fields that a payload has; null when it is not a text. */
export function textIn(payload: Payload, ...fields: readonly string[]): string | null {
  return shortTextOrNull(fields.map(it => payload[it]).find(it => it !== undefined && it !== null))
}

/** A tool's input; some agents send the object as JSON text. */
export function toolInput(value: unknown): unknown {
  return typeof value === 'string' ? (parsePayload(value) ?? value) : value
}

/** The first of the folders that an agent works in; null when it names none. */
export function firstFolder(folders: unknown): string | null {
  return Array.isArray(folders) ? shortTextOrNull(folders[0]) : null
}

function encodeBy(answers: Answers, reply: Reply, point: HookPoint | null): HookOutput {
  const none = answers.nothing ? jsonOutput(answers.nothing(point?.at ?? null)) : NO_OUTPUT
  if (reply.kind === 'silence') return none
  const output = answerAt(answers, reply.kind, point)?.(replyText(reply)) ?? none
  return isOutput(output) ? output : jsonOutput(output)
}

function answerAt(answers: Answers, kind: ReplyWithText['kind'], point: HookPoint | null): Answer | undefined {
  const { at, elsewhere = {}, undecoded } = answers
  if (point === null) return (kind === 'context' ? elsewhere.context : undefined) ?? undecoded
  const hasFailed = point.at === 'after-tool' && point.hasFailed === true
  const here = (hasFailed ? at['after-failure'] : undefined) ?? at[point.at] ?? elsewhere
  return kind === 'ask' ? (here.ask ?? here.deny) : here[kind]
}

function isOutput(answer: object): answer is HookOutput {
  return 'stdout' in answer
}

/** Claude Code's answers, which others have copied: a context for the hook whose name the answer repeats. */
export function contextIn(hookEventName: string): Answer {
  return additionalContext => ({ hookSpecificOutput: { hookEventName, additionalContext } })
}

/** The same whether it is a denial or a context, where the agent can't be stopped. */
export function always(answer: Answer): AnswersAt {
  return { deny: answer, context: answer }
}

/** Nothing runs: the reason is on stderr, and the exit code is 2. */
export function exit2(text: string): HookOutput {
  return { stdout: '', stderr: `${text}\n`, exit: 2 }
}

/** The agent goes on to read the reason. */
export function block(reason: string): object {
  return { decision: 'block', reason }
}
