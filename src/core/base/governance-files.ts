/** The registry. All paths here are relative to the top of the worktree. */
export const REGISTRY_PATH = '.orchestration/active_intents.yaml'

/** The folder of a team's registry, beside the list: one intent a file, `<id>.yaml`. */
export const INTENTS_FOLDER = '.orchestration/intents'

export const CONFIG_PATH = '.orchestration/config.yaml'

/** The SSH keys of those who may change the rules under `verify.governance: strict`, in the form of `ssh-keygen`. */
export const ALLOWED_SIGNERS_PATH = '.orchestration/allowed_signers'

/** The project policy; its section *Forbidden Paths* forbids paths to every intent. */
export const PROJECT_POLICY_PATH = '.sdd/KOTEF.md'

export const INTENTIGNORE_PATH = '.intentignore'

/** The files that the policy is compiled from. `hooks/common.sh` has the same list. */
export const POLICY_FILES: readonly string[] = [REGISTRY_PATH, CONFIG_PATH, PROJECT_POLICY_PATH, INTENTIGNORE_PATH]

/** The policy files for `git ls-tree`, which names a folder by one entry. */
export const POLICY_ENTRIES: readonly string[] = [...POLICY_FILES, INTENTS_FOLDER]

/** True for the registry's list, and for the file of one intent. */
export function isRegistryPath(path: string): boolean {
  if (!path.startsWith(`${INTENTS_FOLDER}/`)) return path === REGISTRY_PATH
  const name = path.slice(INTENTS_FOLDER.length + 1)
  return !name.includes('/') && isIntentFile(name)
}

/** True for a file that the policy is compiled from. */
export function isPolicyFile(path: string): boolean {
  return POLICY_FILES.includes(path) || isRegistryPath(path)
}

/** The files of intents among the names in their folder, as paths, in the order of a shell's glob. */
export function intentFilesIn(names: readonly string[]): string[] {
  return names
    .filter(isIntentFile)
    .sort((a, b) => (a < b ? -1 : 1))
    .map(it => `${INTENTS_FOLDER}/${it}`)
}

function isIntentFile(name: string): boolean {
  return name.endsWith('.yaml') && !name.startsWith('.')
}

/** The ledger: ignored by git, and written by kotef only. */
export const LEDGER_PATH = '.orchestration/agent_trace.jsonl'

/** The folder with the reports of stopped runs, and their list for people. */
export const RUNS_FOLDER = '.sdd/runs'
export const ISSUES_PATH = '.sdd/issues.md'

/** What kotef has git ignore in a clone, as lines of `info/exclude`. */
export const OWN_EXCLUDES: readonly string[] = [`/${LEDGER_PATH}`, `/${RUNS_FOLDER}/`, `/${ISSUES_PATH}`]

/** The shared lessons, and among them the list that kotef writes. */
export const LESSONS_PATH = '.orchestration/AGENT.md'

/** The intent map, in which kotef keeps a generated block. */
export const INTENT_MAP_PATH = '.orchestration/intent_map.md'

/** Files that kotef itself writes into: a commit for any intent may contain them. */
export const ALWAYS_COMMITTABLE: readonly string[] = [LESSONS_PATH, INTENT_MAP_PATH]

/** What tools read as their settings, prompts or hooks, in each folder in which they are started, and which tools. */
export const TOOL_SETTINGS: readonly (readonly [glob: string, readers: string])[] = [
  ['.claude/**', 'Claude Code, and others that read its hooks and skills'],
  ['.codex/**', 'Codex CLI'],
  ['.gemini/**', 'Gemini CLI'],
  ['.cursor/**', 'Cursor'],
  ['.opencode/**', 'OpenCode'],
  ['opencode.json', 'OpenCode'],
  ['opencode.jsonc', 'OpenCode'],
  ['.clinerules/**', 'Cline'],
  ['.agents/**', 'Codex CLI, Gemini CLI and others: skills'],
  ['.github/hooks/**', 'Copilot CLI'],
  ['.mcp.json', 'Claude Code, Copilot CLI: servers that are started'],
  ['AGENTS.md', 'nearly every agent'],
  ['CLAUDE.md', 'Claude Code'],
  ['CLAUDE.local.md', 'Claude Code'],
  ['GEMINI.md', 'Gemini CLI'],
  ['.husky/**', 'git, through husky'],
  ['.vscode/settings.json', 'Visual Studio Code and its descendants'],
  ['.vscode/tasks.json', 'the same: commands that may run when a folder is opened'],
  ['.vscode/launch.json', 'the same'],
  ['.vscode/mcp.json', 'the same, and Copilot: servers that are started'],
  ['.vscode/extensions.json', 'the same: extensions that it offers to install'],
  ['.envrc', 'direnv: a script'],
  ['.npmrc', 'npm, pnpm, yarn: scripts and registries'],
]

/** The same as globs of the whole repository. */
export const SETTINGS_ANYWHERE: readonly string[] = TOOL_SETTINGS.map(([glob]) => `**/${glob}`)
