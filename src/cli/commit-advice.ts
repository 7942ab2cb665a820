import { REGISTRY_PATH } from '../intents/paths.ts'
import { committedTexts } from '../workspace/committed.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** How to commit a changed registry; nothing before the repository's adoption commit, which brings all of it. */
export async function commitAdvice(workspace: Workspace, what: string): Promise<string[]> {
  const [committed] = await committedTexts(workspace, [REGISTRY_PATH])
  if (!committed) return []
  const command = `git commit -m "${what}" -m "Governance: ${what}" ${REGISTRY_PATH}`
  return [`  Commit the registry with \`${command}\`.`]
}
