/** Names the variable by which an agent says that what it runs is run by it; null when there is none. */
export function agentVariable(env: Readonly<Record<string, string | undefined>>): string | null {
  return AGENT_VARIABLES.find(it => (env[it] ?? '') !== '') ?? null
}

// An agent that sets none of these is not seen.
const AGENT_VARIABLES: readonly string[] = [
  ...['AI_AGENT', 'CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'CODEX_CI', 'GEMINI_CLI', 'CURSOR_AGENT'],
  ...['COPILOT_CLI', 'COPILOT_AGENT', 'OPENCODE', 'OPENCODE_CLIENT', 'CLINE_ACTIVE', 'AUGMENT_AGENT'],
]
