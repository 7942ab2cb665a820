/** The registry, from the top of the worktree, as every path here. */
export const REGISTRY_PATH = '.orchestration/active_intents.yaml'

export const CONFIG_PATH = '.orchestration/config.yaml'

/** The team's document; its section *Must not touch* forbids paths to every intent. */
export const TEAM_DOCUMENT_PATH = '.sdd/KOTEF.md'

export const INTENTIGNORE_PATH = '.intentignore'

/** The files that the policy is compiled from. The shell side has the same list: `hooks/common.sh`. */
export const POLICY_FILES: readonly string[] = [REGISTRY_PATH, CONFIG_PATH, TEAM_DOCUMENT_PATH, INTENTIGNORE_PATH]

/** The ledger. It is ignored by git, and no governance file: nothing but kotef writes it. */
export const LEDGER_PATH = '.orchestration/agent_trace.jsonl'

/** Files that kotef itself generates: any commit may contain them, for whatever intent. */
export const ALWAYS_COMMITTABLE: readonly string[] = ['.orchestration/AGENT.md', '.orchestration/intent_map.md']
