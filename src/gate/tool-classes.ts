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
  const [, name = ''] = /^(?:(?:[\w.-]*[^A-Za-z0-9])?kotef(?:__|--|[_.:/-])|MCP:)?([a-z_]+)$/.exec(tool) ?? []
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
  ...names('execute', 'Bash PowerShell'),
  ...names('read', 'Read Glob Grep LS NotebookRead WebFetch WebSearch BashOutput TaskOutput ListMcpResourcesTool'),
  ...names('read', 'ReadMcpResourceTool ToolSearch LSP'),
  ...names('meta', 'TodoWrite TodoRead Task Agent AskUserQuestion EnterPlanMode ExitPlanMode Skill KillShell KillBash'),
  ...names('meta', 'TaskStop TaskCreate TaskUpdate TaskGet TaskList exit_plan_mode'),
  // Codex CLI
  ...names('write', 'apply_patch'),
  ...names('execute', 'shell shell_command exec_command local_shell write_stdin unified_exec exec'),
  ...names('read', 'view_image read_file list_dir grep_files tool_search web_search'),
  ...names('meta', 'update_plan request_user_input spawn_agent wait_agent close_agent'),
  // Gemini CLI
  ...names('write', 'write_file replace'),
  ...names('execute', 'run_shell_command'),
  ...names('read', 'read_many_files list_directory glob search_file_content grep_search web_fetch google_web_search'),
  ...names('meta', 'write_todos activate_skill'),
  // Copilot CLI
  ...names('write', 'create edit str_replace str_replace_editor str_replace_based_edit_tool insert'),
  ...names('execute', 'bash powershell write_bash'),
  ...names('read', 'view rg grep read_bash list_bash show_file'),
  ...names('meta', 'report_intent update_todo stop_bash ask_user task think'),
  // Cursor
  ...names('write', 'StrReplace Delete EditNotebook ApplyPatch'),
  ...names('execute', 'Shell'),
  ...names('read', 'SemanticSearch ReadLints'),
  // OpenCode
  ...names('write', 'write patch multiedit'),
  ...names('read', 'read list ls webfetch websearch codesearch lsp'),
  ...names('meta', 'todowrite todoread skill question'),
  // Cline
  ...names('write', 'write_to_file replace_in_file new_rule delete_file editor'),
  ...names('execute', 'execute_command run_commands'),
  ...names('read', 'list_code_definition_names load_mcp_documentation'),
  ...names('meta', 'ask_followup_question attempt_completion plan_mode_respond act_mode_respond new_task condense'),
  // Roo Code
  ...names('write', 'apply_diff edit_file search_replace search_and_replace insert_content'),
  ...names('read', 'list_files search_files codebase_search read_command_output'),
  ...names('meta', 'switch_mode update_todo_list'),
])
