/** What kotef itself writes along the way: it may ride in any commit, whoever's intent that serves. */
export const ALWAYS_COMMITTABLE: readonly string[] = ['.orchestration/AGENT.md', '.orchestration/intent_map.md']
