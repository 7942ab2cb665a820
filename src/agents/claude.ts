import { blobOid } from '../git/blob-oid.ts'
import {
  type Adapter,
  type HookOutput,
  type HookPoint,
  jsonOutput,
  NO_OUTPUT,
  type Reply,
  type ReplyWithText,
} from './adapter.ts'
import type { Activity, CallIdentity, EventHeader } from './event.ts'
import { decodeNamedHook, NO_CONTENT, type PayloadContent, stopPoint, toolUseContent } from './payload-content.ts'
import { modelOrNull } from './models.ts'
import { objectOrNull, parsePayload, type Payload, shortTextOrNull } from '../text/payload.ts'
import type { Phase } from './tool-use.ts'

/** Claude Code: the JSON that its hooks get on stdin, and the JSON that it reads from their stdout. */
export const claude: Adapter = { decode: it => decodeNamedHook(it, claudeHeader, claudeContent), encode: encodeClaude }

function claudeHeader(session: string, payload: Payload): EventHeader {
  const [cwd, transcript] = [shortTextOrNull(payload['cwd']), shortTextOrNull(payload['transcript_path'])]
  return { session, agent: 'claude', model: claudeModel(payload['model']), cwd, transcript }
}

/** A Claude model as Agent Trace spells it; null for a value that is not a model. */
function claudeModel(value: unknown): string | null {
  const name = modelOrNull(value)
  // Claude Code gives this model to the messages that it writes into a conversation itself.
  if (name === null || name === '<synthetic>') return null
  return modelOrNull(name.includes('/') ? name : `anthropic/${name}`)
}

function claudeContent(name: string, payload: Payload): PayloadContent {
  const phase = CLAUDE_PHASES.get(name)
  if (phase) return claudeToolUse(phase, payload)
  switch (name) {
    case 'SessionStart':
      return {
        activity: { event: 'session-start' },
        point: { at: payload['source'] === 'compact' ? 'compacted' : 'session-start' },
      }
    case 'SessionEnd':
      return { activity: { event: 'session-end' }, point: { at: 'session-end' } }
    case 'UserPromptSubmit':
      return { activity: isTaskNotification(payload) ? null : { event: 'turn-end' }, point: { at: 'prompt' } }
    case 'Stop':
      return { activity: { event: 'turn-end', busy: busyLanes(payload) }, point: stopPoint(payload) }
    case 'ConfigChange':
      return { activity: null, point: { at: 'settings-change', path: shortTextOrNull(payload['file_path']) } }
    default:
      return NO_CONTENT
  }
}

const CLAUDE_PHASES: ReadonlyMap<string, Phase> = new Map([
  ['PreToolUse', 'start'],
  ['PostToolUse', 'end'],
  ['PostToolUseFailure', 'failed'],
])

// Claude Code sends itself such a prompt when a subagent in the background is done: no turn of its own ends then.
function isTaskNotification(payload: Payload): boolean {
  const prompt = payload['prompt']
  return typeof prompt === 'string' && prompt.startsWith('<task-notification>')
}

// Subagents that it started go on in the background, each in its own lane.
function busyLanes(payload: Payload): string[] {
  const tasks = payload['background_tasks']
  if (!Array.isArray(tasks)) return []
  const running = tasks
    .slice(0, TASKS_MAX)
    .map(objectOrNull)
    .filter(it => it?.['status'] === 'running')
  return running.flatMap(it => shortTextOrNull(it?.['id']) ?? [])
}

const TASKS_MAX = 1_000

function claudeToolUse(phase: Phase, payload: Payload): PayloadContent {
  const tool = shortTextOrNull(payload['tool_name'])
  if (tool === null) return { problem: 'It has no tool_name.' }
  const content = toolUseContent({
    agent: 'claude',
    phase,
    tool,
    input: payload['tool_input'],
    call: claudeCall(payload),
  })
  if ('problem' in content || content.activity?.event !== 'write') return content
  return { ...content, activity: { ...content.activity, ...reportedOids(payload) } }
}

// No hook runs for the end of a call that a person refused. The main agent and each subagent write one file at a time.
function claudeCall(payload: Payload): CallIdentity {
  return { call: shortTextOrNull(payload['tool_use_id']), lane: shortTextOrNull(payload['agent_id']) ?? '' }
}

// Only the answer of Write has the whole content, which is another one when the person changed it before allowing it.
function reportedOids(payload: Payload): Pick<WriteEvent, 'before' | 'after'> {
  const { originalFile, content, userModified } = objectOrNull(payload['tool_response']) ?? {}
  const isWhole = payload['tool_name'] === 'Write' && typeof content === 'string' && userModified !== true
  return {
    before: originalFile === null ? null : typeof originalFile === 'string' ? textOid(originalFile) : undefined,
    ...(isWhole && { after: textOid(content) }),
  }
}

type WriteEvent = Extract<Activity, { event: 'write' }>

function textOid(text: string): string {
  return blobOid(Buffer.from(text))
}

/** The hooks whose answer may have a context, by the name that the answer must repeat. */
const HOOK_EVENT_NAMES: ReadonlyMap<HookPoint['at'], string> = new Map([
  ['before-tool', 'PreToolUse'],
  ['after-tool', 'PostToolUse'],
  ['prompt', 'UserPromptSubmit'],
  ['session-start', 'SessionStart'],
  ['compacted', 'SessionStart'],
])

function encodeClaude(reply: Reply, point: HookPoint | null): HookOutput {
  if (reply.kind === 'silence') return NO_OUTPUT
  // At every hook that can block, Claude Code stops on exit code 2 and reads stderr.
  if (point === null) return { stdout: '', stderr: `${reply.text}\n`, exit: 2 }
  const answer = claudeAnswer(point, reply)
  return answer ? jsonOutput(answer) : NO_OUTPUT
}

function claudeAnswer(point: HookPoint, { kind, text }: ReplyWithText): object | null {
  const { at } = point
  const hasFailed = at === 'after-tool' && point.hasFailed === true
  const hookEventName = hasFailed ? 'PostToolUseFailure' : HOOK_EVENT_NAMES.get(at)
  if (at === 'before-tool' && kind !== 'context') {
    return { hookSpecificOutput: { hookEventName, permissionDecision: kind, permissionDecisionReason: text } }
  }
  // The start and the end of a session can't be blocked: the model gets the text as context.
  const canBlock = at !== 'session-start' && at !== 'compacted' && at !== 'session-end'
  if (kind !== 'context' && canBlock) return { decision: 'block', reason: text }
  return hookEventName === undefined ? null : { hookSpecificOutput: { hookEventName, additionalContext: text } }
}

/** The model of the last message in the end of a Claude Code conversation, which has one JSON object per line. */
export function lastModelIn(text: string): string | null {
  for (const line of text.split('\n').reverse()) {
    const model = claudeModel(objectOrNull(parsePayload(line)?.['message'])?.['model'])
    if (model !== null) return model
  }
  return null
}
