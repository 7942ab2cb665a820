/** The registry. All paths here are relative to the top of the worktree. */
export const REGISTRY_PATH = '.orchestration/active_intents.yaml'

export const CONFIG_PATH = '.orchestration/config.yaml'

/** The project policy; its section *Forbidden Paths* forbids paths to every intent. */
export const PROJECT_POLICY_PATH = '.sdd/KOTEF.md'

export const INTENTIGNORE_PATH = '.intentignore'

/** The files that the policy is compiled from. `hooks/common.sh` has the same list. */
export const POLICY_FILES: readonly string[] = [REGISTRY_PATH, CONFIG_PATH, PROJECT_POLICY_PATH, INTENTIGNORE_PATH]

/** The ledger: ignored by git, and written by kotef only. */
export const LEDGER_PATH = '.orchestration/agent_trace.jsonl'

/** Files that kotef itself writes into: a commit for any intent may contain them. */
export const ALWAYS_COMMITTABLE: readonly string[] = ['.orchestration/AGENT.md', '.orchestration/intent_map.md']
