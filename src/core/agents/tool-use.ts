import { jsonOrUndefined, objectOrNull, type Payload, shortTextOrNull } from '../base/payload.ts'
import { type Target, targetsIn } from './tool-targets.ts'
import type { Activity, CallIdentity } from './event.ts'
import { namedToolClass, type ToolClass } from './tool-names.ts'

/** One use of a tool, decoded once: the adapter records it by this, and the gate judges it by this. */
export type ToolUse = {
  readonly tool: string
  readonly input: unknown
  readonly class: ToolClass
  /** The paths that the input names as written; empty for a tool that reads, or that runs a command. */
  readonly targets: readonly Target[]
}

/** Decodes one use of a tool by an agent. */
export function toolUse(agent: string, tool: string, input: unknown): ToolUse {
  const fields = inputFields(input)
  const kind = toolClassOf(agent, tool, fields)
  const writes = kind === 'write' || (kind === 'unknown' && !seemsToRead(tool, fields))
  return { tool, input, class: kind, targets: writes ? targetsIn(fields, { isKnown: kind === 'write' }) : [] }
}

// What such a tool of another server names is not taken for written: its call is watched, like a command.
function seemsToRead(tool: string, input: Payload): boolean {
  const name = tool === 'use_mcp_tool' ? (shortTextOrNull(input['tool_name']) ?? '') : tool
  return READING_NAME.test(name) && !WRITING_WORD.test(name)
}

const READING_NAME = /^(?:.*(?:__|--|[-.:/])|mcp_[^_]+_)?(?:read|get|list|find|search|show)(?![a-z])/
const WRITING_WORD =
  /write|edit|replace|insert|update|set|put|post|create|make|add|append|delete|remove|move|rename|save|apply|run|exec/i

/** A tool's input as named fields; `raw` holds a bare text (a patch) or a bare list (commands). */
export function inputFields(input: unknown): Payload {
  return objectOrNull(input) ?? (typeof input === 'string' || Array.isArray(input) ? { raw: input } : {})
}

// The servers of GitHub, of library documentation, of the editor and of browsers: what such a tool reads is not written
// here, and a path that it names is one of a repository elsewhere, or of an open file. Only a snapshot of a browser may
// name a file to write.
function isKnownReader(tool: string, input: Payload): boolean {
  const server = shortTextOrNull(input['server_name'])
  const name = tool === 'use_mcp_tool' ? `${server}__${shortTextOrNull(input['tool_name'])}` : tool
  const [, of = '', read = ''] = SERVER_TOOL.exec(name) ?? []
  const isRead = KNOWN_READERS[of.replace('-mcp-server', '')]?.test(read) === true
  return isRead && !(BROWSERS.test(of) && /file/i.test(JSON.stringify(input)))
}

const SERVER_TOOL =
  /^(?:mcp(?:__|--|_))?(github(?:-mcp-server)?|context7|ide|playwright|chrome-devtools)(?:__|--|[-_])([a-zA-Z_-]+)$/
const KNOWN_READERS: Readonly<Record<string, RegExp>> = {
  github: /^(?:(?:get|list|search)_[a-z_]+|issue_read|pull_request_read)$/,
  context7: /^(?:resolve-library-id|get-library-docs|query-docs)$/,
  ide: /^getDiagnostics$/,
  playwright: /^browser_snapshot$/,
  'chrome-devtools': /^take_snapshot$/,
}
const BROWSERS = /^(?:playwright|chrome-devtools)$/

/** The class of an agent's tool by its name and, for a tool that calls another one, by its input. */
export function toolClassOf(agent: string, tool: string, input: Payload): ToolClass {
  if (isOwnTool(tool, input)) return 'meta'
  if (isKnownReader(tool, input)) return 'read'
  if (MCP_CALLERS.test(tool) && shortTextOrNull(input['server_name']) !== null)
    return isOwnNestedTool(tool, input) ? 'meta' : 'unknown'
  if (/^str_replace_(based_edit_tool|editor)$/.test(tool) && input['command'] === 'view') return 'read'
  const named = namedToolClass(agent, tool)
  return agent === 'copilot' && tool === 'sql' && !staysInSessionDatabase(input['query']) ? 'unknown' : named
}

// Cline and Roo Code reach every MCP server through one tool.
const MCP_CALLERS = /^(use_mcp_tool|access_mcp_resource)$/

function isOwnNestedTool(tool: string, input: Payload): boolean {
  if (!/^kotef$/i.test(shortTextOrNull(input['server_name']) ?? '')) return false
  if (tool !== 'use_mcp_tool') return true
  const given = input['arguments'] ?? {}
  const fields = objectOrNull(typeof given === 'string' ? jsonOrUndefined(given || '{}') : given)
  return hasOwnFields(shortTextOrNull(input['tool_name']) ?? '', fields ?? { arguments: given })
}

/**
 * True for statements that work on the tables of the session's own database. Any others may open, write or load another
 * file, whatever database they were sent to.
 */
function staysInSessionDatabase(query: unknown): boolean {
  if (typeof query !== 'string') return false
  const words = query
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[^]*?\*\//g, ' ')
  const statements = words.split(';').filter(it => it.trim() !== '')
  return statements.every(it => TABLE_STATEMENT.test(it)) && !OTHER_FILES.test(words)
}

const TABLE_STATEMENT =
  /^\s*(?:select|with|values|insert|replace|update|delete|create|drop|alter|explain|begin|commit|end|rollback)\b/i
const OTHER_FILES = new RegExp(
  '\\b(?:attach|detach|pragma|vacuum|virtual|load_extension|writefile|readfile|edit|fts3_tokenizer|zipfile|copy|' +
    'import|export|install|load)\\b',
  'i',
)

/** True for a tool of kotef's own MCP server, with the server's name before it in any agent's spelling. */
function isOwnTool(tool: string, input: Payload): boolean {
  // It runs the commands that verify the acceptance criteria.
  if (tool.endsWith('handover_advance') && input['state'] === 'DONE') return false
  const [, own = ''] = /^(?:mcp(?:__|--|[_.:/-]))?(?:plugin_kotef_)?kotef(?:__|--|[_.:/-])([a-z_]+)$/.exec(tool) ?? []
  // Some agents, such as Cursor, do not name the server, and another one may have a tool of that name, or ours.
  return hasOwnFields(OWN_TOOLS.has(own) ? own : tool.replace(/^MCP:/, ''), input)
}

/** True for the name of a tool of kotef's, when it is given nothing else than kotef's tool takes. */
function hasOwnFields(tool: string, input: Payload): boolean {
  const fields = OWN_TOOLS.get(tool)
  return fields !== undefined && Object.keys(input).every(it => fields.includes(it) || it === ADDED_BY_GEMINI)
}

// Gemini CLI adds it to the parameters of every tool.
const ADDED_BY_GEMINI = 'wait_for_previous'

/** Each with what it is given. */
const OWN_TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ['select_active_intent', ['intent_id', 'role', 'handover_session']],
  ['list_intents', []],
  ['intent_context', []],
  ['where_is', ['words', 'limit']],
  ['request_scope_expansion', ['globs', 'reason']],
  ['request_approval', ['what', 'reason']],
  ['record_lesson', ['text', 'paths']],
  ['handover_status', ['session']],
  ['handover_new', ['session', 'word', 'lean']],
  ['handover_ask', ['session', 'questions', 'gate', 'security', 'criterion']],
  ['handover_answer', ['session', 'answers']],
  ['handover_end_question', ['session', 'id', 'how', 'reason']],
  ['handover_advance', ['session', 'state', 'task', 'agent', 'reason']],
  ['handover_task', ['session', 'id', 'status', 'role']],
  ['handover_submit', ['session', 'role', 'task', 'answer']],
])

/** Whether a tool is about to run, has run, or has failed. */
export type Phase = 'start' | 'end' | 'failed'

type ToolStep = { readonly phase: Phase; readonly use: ToolUse; readonly call: CallIdentity }

/**
 * The activity to record for one use of a tool: a write of the files that an editing tool names, or, for any other tool
 * that may write, a command during which every change is its own. Null for a tool that only reads, and for an edit that
 * names no file, which the gate denies.
 */
export function toolEvent({ phase, use, call }: ToolStep): Activity | null {
  if (use.class === 'read' || use.class === 'meta') return null
  if (use.class !== 'write') return { event: phase === 'start' ? 'exec-start' : 'exec-end', ...call }
  const paths = use.targets.flatMap(it => shortTextOrNull(it.path) ?? [])
  if (paths.length === 0) return null
  if (phase === 'end') return { event: 'write', paths, ...call, before: undefined }
  return { event: phase === 'start' ? 'write-start' : 'write-failed', paths, ...call }
}
