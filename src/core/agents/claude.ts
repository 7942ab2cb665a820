import { blobOid } from '../git/blob-oid.ts'
import type { Activity } from './event.ts'
import {
  adapterFrom,
  always,
  block,
  contextIn,
  exit2,
  namedBy,
  type PayloadContent,
  stopContent,
  textIn,
  toolContent,
} from './agent-table.ts'
import { modelOrNull } from './models.ts'
import { objectOrNull, parsePayload, type Payload, shortTextOrNull } from '../base/payload.ts'

const context = contextIn('SessionStart')

/** Claude Code: the JSON that its hooks get on stdin, and the JSON that it reads from their stdout. */
export const claude = adapterFrom({
  agent: 'claude',
  identity: namedBy('hook_event_name', 'session_id'),
  model: it => claudeModel(it['model']),
  transcript: 'transcript_path',
  hooks: {
    PreToolUse: 'start',
    PostToolUse: contentAfterTool,
    PostToolUseFailure: 'failed',
    SessionStart: it => (it['source'] === 'compact' ? 'compacted' : 'session-start'),
    SessionEnd: 'session-end',
    UserPromptSubmit: it => (isTaskNotification(it) ? 'subagent-prompt' : 'prompt'),
    Stop: it => ({
      activity: { event: 'turn-end', busy: busyLanes(it) },
      point: stopContent(it['stop_hook_active'] === true).point,
    }),
    ConfigChange: it => ({ activity: null, point: { at: 'settings-change', path: textIn(it, 'file_path') } }),
  },
  tool: claudeTool,
  answers: {
    at: {
      'before-tool': { deny: decision('deny'), ask: decision('ask'), context: contextIn('PreToolUse') },
      'after-tool': { deny: block, context: contextIn('PostToolUse') },
      'after-failure': { deny: block, context: contextIn('PostToolUseFailure') },
      prompt: { deny: block, context: contextIn('UserPromptSubmit') },
      // The start of a session can't be blocked: the model gets the text as context.
      'session-start': always(context),
      compacted: always(context),
      stop: { deny: block },
      'settings-change': { deny: block },
    },
    // At every hook that can block, Claude Code stops on exit code 2 and reads stderr.
    undecoded: exit2,
  },
})

/** A Claude model as Agent Trace spells it; null for a value that is not a model. */
function claudeModel(value: unknown): string | null {
  const name = modelOrNull(value)
  // Claude Code gives this model to the messages that it writes into a conversation itself.
  if (name === null || name === '<synthetic>') return null
  return modelOrNull(name.includes('/') ? name : `anthropic/${name}`)
}

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

// No hook runs for the end of a call that a person refused. The main agent and each subagent write one file at a time.
function claudeTool(payload: Payload) {
  const tool = textIn(payload, 'tool_name')
  const call = textIn(payload, 'tool_use_id')
  return { tool, nameIn: 'tool_name', input: payload['tool_input'], call, lane: textIn(payload, 'agent_id') ?? '' }
}

function contentAfterTool(payload: Payload): PayloadContent {
  const content = toolContent('claude', 'end', claudeTool(payload))
  if ('problem' in content || content.activity?.event !== 'write') return content
  return { ...content, activity: { ...content.activity, ...reportedOids(payload) } }
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

function decision(permissionDecision: 'deny' | 'ask') {
  const hookEventName = 'PreToolUse'
  return (permissionDecisionReason: string) => ({
    hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason },
  })
}

/** The model of the last message in the end of a Claude Code conversation, which has one JSON object per line. */
export function lastModelIn(text: string): string | null {
  for (const line of text.split('\n').reverse()) {
    const model = claudeModel(objectOrNull(parsePayload(line)?.['message'])?.['model'])
    if (model !== null) return model
  }
  return null
}
