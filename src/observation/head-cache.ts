import { join } from 'node:path'
import { readSignature } from '../io/files/file-state.ts'
import { headOid } from '../git/head-oid.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The commit that HEAD names, or null while it is unborn; git is asked only when HEAD may have moved. */
export function cachedHead(workspace: Workspace): () => Promise<string | null> {
  let key: string | null = null
  let cached: string | null = null
  return async () => {
    const now = await headSignature(workspace)
    if (now === null || now !== key) cached = await workspace.git.tryAsk(headOid)
    key = now
    return cached
  }
}

/** Changes whenever HEAD moves; null where nothing shows that: HEAD's log grows with each move, if git keeps one. */
async function headSignature({ gitDir, commonDir, files }: Workspace): Promise<string | null> {
  const log = await readSignature(join(gitDir, 'logs/HEAD'))
  if (log === null) return null
  const head = (await files.read(join(gitDir, 'HEAD')))?.toString('utf8') ?? ''
  const [, branch = ''] = /^ref: (.+)$/m.exec(head) ?? []
  return JSON.stringify([log, head, await readSignature(join(commonDir, branch))])
}
