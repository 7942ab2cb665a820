type VariableRow = readonly [name: RegExp, source: string]

// Whatever their value is: an agent has no need to set one of them.
const SWITCH_VARIABLES: readonly VariableRow[] = [
  [/^KOTEF$/, 'docs/installation.md'],
  // Lefthook, pre-commit and simple-git-hooks have such variables too, but their calls stand behind kotef's own.
  [/^HUSKY(?:_SKIP_HOOKS)?$/, 'husky, Skipping Git Hooks'],
  [/^GIT_CONFIG/, 'git-config, ENVIRONMENT'],
  [/^GIT_NOTES_REF$/, 'git-notes, ENVIRONMENT'],
  // By these an agent that is started next has other settings, or no plugin.
  [/^CLAUDE_(?:CONFIG_DIR|CODE_SIMPLE)$/, 'code.claude.com/docs, Environment variables'],
  [/^CODEX_HOME$/, 'developers.openai.com/codex, Advanced configuration'],
  [/^OPENCODE_(?:CONFIG\w*|PURE|DISABLE_\w+)$/, 'opencode.ai/docs, CLI, Environment variables'],
  [/^GEMINI_CLI_\w*(?:SETTINGS|HOME)\w*$/, 'geminicli.com/docs, Configuration'],
  [/^COPILOT_HOME$/, 'docs.github.com, GitHub Copilot CLI configuration directory'],
]

/** True for a variable of the environment that switches hooks off, or redirects git, when it is set. */
export function isSwitchVariable(variable: string): boolean {
  return SWITCH_VARIABLES.some(([name]) => name.test(variable))
}

/** True for a variable by which git, and husky, find the user's settings, which may name other hooks. */
export function movesSettings(variable: string): boolean {
  return variable === 'HOME' || variable === 'XDG_CONFIG_HOME'
}

/** True when the environment switches husky's hooks off. */
export function isHuskyOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['HUSKY'] === '0'
}
