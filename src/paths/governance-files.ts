/** Where the registry stands, from the top of the worktree. */
export const REGISTRY_PATH = '.orchestration/active_intents.yaml'

/** Where the config does. */
export const CONFIG_PATH = '.orchestration/config.yaml'
