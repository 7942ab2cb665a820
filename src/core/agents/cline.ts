import { adapterFrom, always, firstFolder, namedBy, textIn, toolInput } from './agent-table.ts'
import { qualifiedModel, modelFromName } from './models.ts'
import { jsonOrUndefined, objectOrNull, type Payload, shortTextOrNull } from '../base/payload.ts'

const afterTool = (it: Payload) => (objectOrNull(it['postToolUse'])?.['success'] === false ? 'failed' : 'end')
const context = (text: string) => ({ cancel: false, contextModification: text })
const cancel = (text: string) => ({ cancel: true, errorMessage: text })

/** Cline, as an extension and as a command: both run the same hook files, but name the hooks differently. */
export const cline = adapterFrom({
  agent: 'cline',
  // A subagent has its own task id, and the session of the main agent as its root.
  identity(payload) {
    const root = shortTextOrNull(objectOrNull(payload['sessionContext'])?.['rootSessionId'])
    return namedBy('hookName', 'taskId')({ ...payload, taskId: root ?? payload['taskId'] })
  },
  model: it => clineModel(it['model']),
  cwd: it => firstFolder(it['workspaceRoots']),
  hooks: {
    PreToolUse: 'start',
    tool_call: 'start',
    PostToolUse: afterTool,
    tool_result: afterTool,
    TaskStart: 'session-start',
    agent_start: 'session-start',
    TaskResume: 'session-start',
    agent_resume: 'session-start',
    UserPromptSubmit: 'prompt',
    prompt_submit: 'prompt',
    TaskComplete: 'turn-end',
    agent_end: 'turn-end',
    TaskCancel: 'turn-end',
    agent_abort: 'turn-end',
    agent_error: 'turn-end',
    session_shutdown: 'session-end',
  },
  tool: clineTool,
  // Cline ignores the exit code: only `cancel` counts, and it ends the whole run. After a tool has run, the denial goes
  // to the model as text instead.
  answers: {
    at: { 'before-tool': { deny: cancel, context }, prompt: { deny: cancel, context } },
    elsewhere: always(context),
    undecoded: cancel,
    nothing: () => ({ cancel: false }),
  },
})

function clineModel(value: unknown): string | null {
  const model = objectOrNull(value)
  if (!model) return modelFromName(value)
  const maker = textIn(model, 'provider')
  return maker === null ? modelFromName(model['slug']) : qualifiedModel(maker, model['slug'])
}

// `preToolUse` repeats `tool_call`, with every value as text: it is read where `tool_call` is missing.
function clineTool(payload: Payload) {
  const isBefore = /^(?:PreToolUse|tool_call)$/.test(String(payload['hookName']))
  const own = objectOrNull(payload[isBefore ? 'tool_call' : 'tool_result'])
  const copy = objectOrNull(payload[isBefore ? 'preToolUse' : 'postToolUse'])
  const input = own?.['input'] === undefined ? parametersOf(copy) : toolInput(own['input'])
  const tool = shortTextOrNull(own?.['name'] ?? copy?.['toolName'])
  return { tool, input, call: shortTextOrNull(own?.['id']), lane: textIn(payload, 'agent_id') ?? '' }
}

function parametersOf(copy: Payload | null): unknown {
  const fields = objectOrNull(copy?.['parameters'])
  const commands = fields?.['commands']
  return typeof commands === 'string' ? { ...fields, commands: jsonOrUndefined(commands) ?? commands } : fields
}
