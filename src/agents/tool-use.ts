import { objectOrNull, type Payload, shortTextOrNull } from '../text/payload.ts'
import { type Target, targetsIn } from './tool-targets.ts'
import type { Activity, CallIdentity } from './event.ts'

/** One use of a tool, decoded once: the adapter records it by this, and the gate judges it by this. */
export type ToolUse = {
  readonly tool: string
  readonly input: unknown
  readonly class: ToolClass
  /** The paths that the input names as written; empty for a tool that reads, or that runs a command. */
  readonly targets: readonly Target[]
}

/** Decodes one use of a tool, whichever agent it comes from. */
export function toolUse(tool: string, input: unknown): ToolUse {
  const fields = inputFields(input)
  const kind = toolClassOf(tool, fields)
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

/** `meta` touches no file. A tool that is not listed is `unknown`, and counts as mutating. */
export type ToolClass = 'read' | 'write' | 'execute' | 'meta' | 'unknown'

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

/** The class of a tool by its name and, for a tool that calls another one, by its input. */
export function toolClassOf(tool: string, input: Payload): ToolClass {
  if (isOwnTool(tool, input)) return 'meta'
  if (isKnownReader(tool, input)) return 'read'
  const server = shortTextOrNull(input['server_name'])
  // Cline and Roo Code reach every MCP server through one tool.
  if (/^(use_mcp_tool|access_mcp_resource)$/.test(tool) && server !== null)
    return /^kotef$/i.test(server) &&
      (tool !== 'use_mcp_tool' || OWN_TOOLS.has(shortTextOrNull(input['tool_name']) ?? ''))
      ? 'meta'
      : 'unknown'
  if (/^str_replace_(based_edit_tool|editor)$/.test(tool) && input['command'] === 'view') return 'read'
  return TOOL_CLASSES.find(([, names]) => names.split(' ').includes(tool))?.[0] ?? 'unknown'
}

/** True for a tool of kotef's own MCP server, with the server's name before it in any agent's spelling. */
function isOwnTool(tool: string, input: Payload): boolean {
  // It runs the commands that verify the acceptance criteria.
  if (tool.endsWith('handover_advance') && input['state'] === 'DONE') return false
  const [, own = ''] = /^(?:mcp(?:__|--|[_.:/-]))?(?:plugin_kotef_)?kotef(?:__|--|[_.:/-])([a-z_]+)$/.exec(tool) ?? []
  if (OWN_TOOLS.has(own)) return true
  // Some agents, such as Cursor, do not name the server, and another one may have a tool of that name.
  const fields = OWN_TOOLS.get(tool.replace(/^MCP:/, ''))
  return fields !== undefined && Object.keys(input).every(it => fields.includes(it))
}

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

// Lists, not a map: a hook looks up one tool and exits, and building a map costs more than one search.
const TOOL_CLASSES: readonly (readonly [ToolClass, names: string])[] = [
  // Claude Code, and Copilot CLI in Claude Code's hooks
  ['write', 'Write Edit MultiEdit NotebookEdit'],
  ['execute', 'Bash PowerShell Monitor'],
  ['read', 'Read Glob Grep LS NotebookRead WebFetch WebSearch BashOutput TaskOutput ListMcpResourcesTool'],
  ['read', 'ReadMcpResourceTool ReadMcpResourceDirTool ToolSearch LSP CronList'],
  ['meta', 'TodoWrite TodoRead Task Agent AskUserQuestion EnterPlanMode ExitPlanMode Skill KillShell KillBash'],
  ['meta', 'TaskStop TaskCreate TaskUpdate TaskGet TaskList exit_plan_mode SendMessage ReportFindings'],
  ['meta', 'StructuredOutput SlashCommand TeamCreate'],
  // Codex CLI
  ['write', 'apply_patch'],
  ['execute', 'shell shell_command exec_command local_shell write_stdin unified_exec exec'],
  ['read', 'view_image read_file list_dir grep_files tool_search web_search search'],
  ['read', 'list_mcp_resources list_mcp_resource_templates read_mcp_resource'],
  ['meta', 'update_plan request_user_input spawn_agent wait_agent close_agent resume_agent list_agents'],
  ['meta', 'send_input followup_task get_goal update_goal'],
  // Gemini CLI
  ['write', 'write_file replace'],
  ['execute', 'run_shell_command'],
  ['read', 'read_many_files list_directory glob search_file_content grep_search web_fetch google_web_search'],
  ['read', 'get_internal_docs list_background_processes read_background_output'],
  ['meta', 'write_todos activate_skill enter_plan_mode update_topic complete_task invoke_agent'],
  ['meta', 'tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks'],
  ['meta', 'tracker_add_dependency tracker_visualize'],
  // Copilot CLI
  ['write', 'create edit str_replace str_replace_editor str_replace_based_edit_tool insert'],
  ['execute', 'bash powershell write_bash write_powershell'],
  ['read', 'view rg grep read_bash list_bash show_file read_powershell list_powershell read_agent'],
  ['read', 'fetch_copilot_cli_documentation'],
  ['meta', 'report_intent update_todo stop_bash stop_powershell ask_user task task_complete think'],
  // `sql` is a database of the session, for its to-do list.
  ['meta', 'sql write_agent'],
  // Cursor
  ['write', 'StrReplace Delete EditNotebook ApplyPatch'],
  ['execute', 'Shell'],
  ['read', 'SemanticSearch ReadLints ListMcpResources Await FetchRules'],
  ['meta', 'AskQuestion SwitchMode Subagent'],
  // OpenCode
  // No hook runs for the tools inside `batch`, and it names no file: as a write without targets it is always denied.
  ['write', 'write patch multiedit batch'],
  ['read', 'read list ls webfetch websearch codesearch lsp lsp_hover lsp_diagnostics'],
  ['meta', 'todowrite todoread skill question plan_enter plan_exit invalid'],
  // Cline
  ['write', 'write_to_file replace_in_file new_rule delete_file editor'],
  ['execute', 'execute_command run_commands monitor'],
  ['read', 'list_code_definition_names load_mcp_documentation read_files search_codebase fetch_web_content'],
  ['meta', 'ask_followup_question attempt_completion plan_mode_respond act_mode_respond new_task condense'],
  ['meta', 'skills use_skill ask_question submit_and_exit summarize_task focus_chain'],
  // Roo Code
  ['write', 'apply_diff edit_file search_replace search_and_replace insert_content'],
  ['read', 'list_files search_files codebase_search read_command_output fetch_instructions'],
  ['meta', 'switch_mode update_todo_list run_slash_command'],
]

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
