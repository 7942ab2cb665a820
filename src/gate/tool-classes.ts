import { type Payload, textIn } from '../agents/payload.ts'
import type { ToolClass } from './tool-call.ts'

/** The class of a tool by its name and, for a tool that calls another one, by what it is given. */
export function classOf(tool: string, input: Payload): ToolClass {
  if (isOwn(tool)) return 'meta'
  const server = textIn(input['server_name'])
  // Cline and Roo Code reach every MCP server through one tool.
  if (/^(use_mcp_tool|access_mcp_resource)$/.test(tool) && server !== null)
    return /^kotef$/i.test(server) && OWN.has(textIn(input['tool_name']) ?? 'resource') ? 'meta' : 'unknown'
  if (/^str_replace_(based_edit_tool|editor)$/.test(tool) && input['command'] === 'view') return 'read'
  return CLASSES.get(tool) ?? 'unknown'
}

/** A server's name stands before its tool's, in each agent's own way; of other servers no name is taken on trust. */
function isOwn(tool: string): boolean {
  const [, name = ''] =
    /^(?:(?:mcp(?:__|--|[_.:/-]))?(?:plugin_kotef_)?kotef(?:__|--|[_.:/-])|MCP:)?([a-z_]+)$/.exec(tool) ?? []
  return OWN.has(name)
}

const OWN: ReadonlySet<string> = new Set([
  ...['select_active_intent', 'list_intents', 'intent_context', 'check_done', 'report_step', 'record_lesson'],
  ...['request_scope_expansion', 'request_approval', 'resource'],
])

const names = (kind: ToolClass, ...lists: readonly string[]): [string, ToolClass][] =>
  lists.flatMap(it => it.split(' ')).map(it => [it, kind])

const CLASSES: ReadonlyMap<string, ToolClass> = new Map([
  // Claude Code, and Copilot CLI where it speaks Claude's names
  ...names('write', 'Write Edit MultiEdit NotebookEdit'),
  ...names('execute', 'Bash PowerShell Monitor'),
  ...names('read', 'Read Glob Grep LS NotebookRead WebFetch WebSearch BashOutput TaskOutput ListMcpResourcesTool'),
  ...names('read', 'ReadMcpResourceTool ReadMcpResourceDirTool ToolSearch LSP'),
  ...names('meta', 'TodoWrite TodoRead Task Agent AskUserQuestion EnterPlanMode ExitPlanMode Skill KillShell KillBash'),
  ...names('meta', 'TaskStop TaskCreate TaskUpdate TaskGet TaskList exit_plan_mode SendMessage ReportFindings'),
  ...names('meta', 'StructuredOutput'),
  // Codex CLI
  ...names('write', 'apply_patch'),
  ...names('execute', 'shell shell_command exec_command local_shell write_stdin unified_exec exec'),
  ...names('read', 'view_image read_file list_dir grep_files tool_search web_search'),
  ...names('read', 'list_mcp_resources list_mcp_resource_templates read_mcp_resource'),
  ...names('meta', 'update_plan request_user_input spawn_agent wait_agent close_agent resume_agent list_agents'),
  ...names('meta', 'send_input followup_task get_goal update_goal'),
  // Gemini CLI
  ...names('write', 'write_file replace'),
  ...names('execute', 'run_shell_command'),
  ...names('read', 'read_many_files list_directory glob search_file_content grep_search web_fetch google_web_search'),
  ...names('read', 'get_internal_docs list_background_processes read_background_output'),
  ...names('meta', 'write_todos activate_skill enter_plan_mode update_topic complete_task invoke_agent'),
  ...names('meta', 'tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks'),
  ...names('meta', 'tracker_add_dependency tracker_visualize'),
  // Copilot CLI
  ...names('write', 'create edit str_replace str_replace_editor str_replace_based_edit_tool insert'),
  ...names('execute', 'bash powershell write_bash write_powershell'),
  ...names('read', 'view rg grep read_bash list_bash show_file read_powershell list_powershell read_agent'),
  ...names('read', 'fetch_copilot_cli_documentation'),
  ...names('meta', 'report_intent update_todo stop_bash stop_powershell ask_user task task_complete think'),
  // A database of the session alone, for its list of things to do.
  ...names('meta', 'sql write_agent'),
  // Cursor
  ...names('write', 'StrReplace Delete EditNotebook ApplyPatch'),
  ...names('execute', 'Shell'),
  ...names('read', 'SemanticSearch ReadLints ListMcpResources Await'),
  ...names('meta', 'AskQuestion SwitchMode Subagent'),
  // OpenCode
  // Of the tools that `batch` uses at once no hook is told, and it names no file: it is never allowed.
  ...names('write', 'write patch multiedit batch'),
  ...names('read', 'read list ls webfetch websearch codesearch lsp'),
  ...names('meta', 'todowrite todoread skill question plan_enter plan_exit invalid'),
  // Cline
  ...names('write', 'write_to_file replace_in_file new_rule delete_file editor'),
  ...names('execute', 'execute_command run_commands monitor'),
  ...names('read', 'list_code_definition_names load_mcp_documentation read_files search_codebase fetch_web_content'),
  ...names('meta', 'ask_followup_question attempt_completion plan_mode_respond act_mode_respond new_task condense'),
  ...names('meta', 'skills use_skill ask_question submit_and_exit summarize_task focus_chain'),
  // Roo Code
  ...names('write', 'apply_diff edit_file search_replace search_and_replace insert_content'),
  ...names('read', 'list_files search_files codebase_search read_command_output fetch_instructions'),
  ...names('meta', 'switch_mode update_todo_list run_slash_command'),
])
