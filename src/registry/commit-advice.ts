import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { textsAtHead } from '../worktree/files-at-head.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** How to commit a changed registry; nothing before the repository's adoption commit, which brings all of it. */
export async function commitAdvice(workspace: Workspace, what: string): Promise<string[]> {
  const [committed] = await textsAtHead(workspace, [REGISTRY_PATH])
  if (!committed) return []
  const command = `git commit -m "${what}" -m "Governance: ${what}" ${REGISTRY_PATH}`
  return [`  Commit the registry with \`${command}\`.`]
}
