import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { textsAtHead } from '../worktree/files-at-head.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The lines that say how to commit a changed registry; none before the adoption commit, which adds the registry. */
export async function commitAdvice(workspace: Workspace, what: string): Promise<string[]> {
  const [committed] = await textsAtHead(workspace, [REGISTRY_PATH])
  if (!committed) return []
  const command = `git commit -m "${what}" -m "Governance: ${what}" ${REGISTRY_PATH}`
  return [`  Commit the registry with \`${command}\`.`]
}
