/** The variable by which an agent marks the commands that it runs; null when none is set. */
export function agentVariable(env: Readonly<Record<string, string | undefined>>): string | null {
  return AGENT_VARIABLES.find(it => (env[it] ?? '') !== '') ?? null
}

/** The variables of the known agents; `hooks/post-commit` has them too. An agent that sets none is not detected. */
export const AGENT_VARIABLES: readonly string[] = [
  ...['AI_AGENT', 'CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'CODEX_CI', 'GEMINI_CLI', 'CURSOR_AGENT'],
  ...['COPILOT_CLI', 'COPILOT_AGENT', 'OPENCODE', 'OPENCODE_CLIENT', 'CLINE_ACTIVE', 'AUGMENT_AGENT'],
]
