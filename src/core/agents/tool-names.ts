/** `meta` touches no file. A tool that is not listed is `unknown`, and counts as mutating. */
export type ToolClass = 'read' | 'write' | 'execute' | 'meta' | 'unknown'

/** The class of an agent's own tool; `unknown` for a name that only others have: it is a server's, or a plugin's. */
export function namedToolClass(agent: string, tool: string): ToolClass {
  const user = KNOWN_AGENTS.includes(agent) ? agent : 'generic'
  const row = TOOL_CLASSES.find(
    ([agents, , names]) => agents.split(' ').includes(user) && names.split(' ').includes(tool),
  )
  return row?.[1] ?? 'unknown'
}

type Row = readonly [agents: string, ToolClass, names: string]

// Lists, not a map: a hook looks up one tool and exits, and building a map costs more than one search. `generic` is any
// agent that speaks kotef's own protocol: it has the names whose meaning nobody mistakes.
const TOOL_CLASSES: readonly Row[] = [
  // Claude Code (code.claude.com/docs/en/tools-reference). Copilot CLI and Cursor use them in Claude Code's hooks.
  ['claude copilot cursor generic', 'write', 'Write Edit MultiEdit NotebookEdit'],
  // Codex CLI calls each of its shells Bash in its hooks.
  ['claude copilot codex generic', 'execute', 'Bash'],
  ['claude copilot generic', 'execute', 'PowerShell Monitor'],
  ['claude copilot cursor generic', 'read', 'Read Glob Grep LS NotebookRead WebFetch WebSearch'],
  ['claude copilot generic', 'read', 'BashOutput TaskOutput ListMcpResourcesTool ReadMcpResourceTool'],
  ['claude copilot', 'read', 'ReadMcpResourceDirTool ToolSearch LSP CronList'],
  ['claude copilot cursor generic', 'meta', 'TodoWrite TodoRead Task'],
  ['claude copilot', 'meta', 'Agent AskUserQuestion EnterPlanMode ExitPlanMode Skill KillShell KillBash'],
  [
    'claude copilot',
    'meta',
    'TaskStop TaskCreate TaskUpdate TaskGet TaskList exit_plan_mode SendMessage ReportFindings',
  ],
  ['claude copilot', 'meta', 'StructuredOutput SlashCommand TeamCreate'],
  // Codex CLI (openai/codex: codex-rs/core/src/tools, multi_agents.rs)
  ['codex copilot opencode cline roo generic', 'write', 'apply_patch'],
  ['codex generic', 'execute', 'shell shell_command exec_command local_shell write_stdin unified_exec exec'],
  ['codex generic', 'read', 'view_image list_dir grep_files'],
  ['codex', 'read', 'read_file tool_search web_search search'],
  ['codex', 'read', 'list_mcp_resources list_mcp_resource_templates read_mcp_resource'],
  ['codex', 'meta', 'update_plan request_user_input spawn_agent wait_agent close_agent resume_agent list_agents'],
  ['codex', 'meta', 'send_input followup_task get_goal update_goal'],
  // Gemini CLI (google-gemini/gemini-cli: docs/reference/tools.md)
  ['gemini generic', 'write', 'write_file replace'],
  ['gemini generic', 'execute', 'run_shell_command'],
  ['gemini generic', 'read', 'read_file read_many_files list_directory glob search_file_content grep_search'],
  ['gemini', 'read', 'web_fetch google_web_search get_internal_docs list_background_processes read_background_output'],
  ['gemini', 'meta', 'write_todos activate_skill enter_plan_mode exit_plan_mode ask_user update_topic complete_task'],
  ['gemini', 'meta', 'invoke_agent tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks'],
  ['gemini', 'meta', 'tracker_add_dependency tracker_visualize'],
  // Copilot CLI (docs.github.com: Copilot CLI command reference, tool availability values)
  ['copilot generic', 'write', 'create edit str_replace str_replace_editor str_replace_based_edit_tool insert'],
  ['copilot generic', 'execute', 'bash powershell write_bash write_powershell'],
  ['copilot', 'read', 'view rg grep glob web_fetch web_search read_bash list_bash show_file read_powershell'],
  ['copilot', 'read', 'list_powershell read_agent list_agents fetch_copilot_cli_documentation'],
  ['copilot', 'meta', 'report_intent update_todo stop_bash stop_powershell ask_user task task_complete think'],
  // `sql` is a database of the session, for its to-do list.
  ['copilot', 'meta', 'sql write_agent skill'],
  // Cursor (cursor.com/docs/agent/hooks)
  ['cursor generic', 'write', 'StrReplace Delete EditNotebook ApplyPatch'],
  ['cursor generic', 'execute', 'Shell'],
  ['cursor', 'read', 'SemanticSearch ReadLints ListMcpResources Await FetchRules'],
  ['cursor', 'meta', 'AskQuestion SwitchMode Subagent'],
  // OpenCode (opencode.ai/docs/tools)
  // No hook runs for the tools inside `batch`, and it names no file: as a write without targets it is always denied.
  ['opencode generic', 'write', 'write edit patch multiedit batch'],
  ['opencode', 'execute', 'bash'],
  ['opencode', 'read', 'read list ls glob grep webfetch websearch codesearch lsp lsp_hover lsp_diagnostics'],
  ['opencode', 'meta', 'todowrite todoread task skill question plan_enter plan_exit invalid'],
  // Cline (docs.cline.bot: tools reference)
  ['cline roo generic', 'write', 'write_to_file replace_in_file new_rule delete_file editor'],
  ['cline roo generic', 'execute', 'execute_command run_commands'],
  ['cline', 'execute', 'monitor'],
  ['cline roo generic', 'read', 'read_file list_files search_files list_code_definition_names'],
  ['cline', 'read', 'load_mcp_documentation read_files search_codebase fetch_web_content web_fetch web_search'],
  ['cline roo', 'meta', 'ask_followup_question attempt_completion new_task'],
  ['cline', 'meta', 'plan_mode_respond act_mode_respond condense skills use_skill ask_question submit_and_exit'],
  ['cline', 'meta', 'summarize_task focus_chain'],
  // Roo Code (docs.roocode.com/advanced-usage/available-tools)
  ['roo generic', 'write', 'apply_diff edit edit_file search_replace search_and_replace insert_content'],
  ['roo generic', 'read', 'codebase_search read_command_output'],
  ['roo', 'read', 'fetch_instructions'],
  ['roo', 'meta', 'switch_mode update_todo_list run_slash_command skill'],
]

const KNOWN_AGENTS = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'opencode', 'cline', 'roo']
