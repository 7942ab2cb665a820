import { join } from 'node:path'
import { gather } from '../io/git/gather.ts'
import { withLock } from '../io/files/lock.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { sourceLinkName, type CompiledPolicy, COMPILED_POLICY_VERSION } from '../scope/compiled-policy.ts'
import { VERSION } from '../io/files/package.ts'
import { policyStamp } from './current-policy.ts'
import { fastPathOf } from './fast-path.ts'
import { loadConfig, loadPolicy } from './load-policy.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { layoutOf, ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/**
 * Compiles the policy of this worktree for the git hooks: all of it as JSON, and the scope of the only live intent as
 * git attributes, if git matches every tracked path as kotef does. Without that file Node judges every commit. True
 * when the fast path is open.
 */
export function compilePolicy(workspace: Workspace): Promise<boolean> {
  return withLock(ownPath(workspace, 'compile.lock'), () => compileUnderLock(workspace))
}

async function compileUnderLock(workspace: Workspace): Promise<boolean> {
  const { files } = workspace
  const { active, state } = compiledPaths(workspace)
  await files.privateFolder(layoutOf(workspace).compiled)
  for (const place of [active, state]) await files.clear(place)
  // Links and stamp come first: a source that changes while it is read then has another file or another stamp.
  const linked = await linkPolicyFiles(workspace)
  const stampNow = () => gather(workspace, policyStamp({ root: workspace.root, inHead: null }))
  const stamp = await stampNow()
  const policy = await loadPolicy(workspace)
  const { opaque_commands: opaqueCommands, claims } = await loadConfig(workspace)
  const sessions = (await liveSessions(workspace)).map(({ id, intent, kind, agent }) => ({ id, intent, kind, agent }))
  const judged = { policy, opaqueCommands, claims }
  const compiled: CompiledPolicy = {
    version: COMPILED_POLICY_VERSION,
    kotef: VERSION,
    ...judged,
    sessions,
    stamp: stamp ?? '',
  }
  await files.put(state, `${JSON.stringify(compiled)}\n`)
  const trialsIn = layoutOf(workspace).compiled
  const path = linked ? await fastPathOf(workspace, { ...compiled, trialsIn }) : null
  if (!path || 'closed' in path) return false
  await files.put(`${active}.new`, path.text)
  // A file edited in place shows only by its time, so no source may have changed before the compiled file's time.
  if (stamp === null || (await stampNow()) !== stamp) return false
  await files.move(`${active}.new`, active)
  return true
}

/** The compiled files of this worktree. */
function compiledPaths(workspace: Workspace): { readonly active: string; readonly state: string } {
  const { compiled } = layoutOf(workspace)
  return { active: join(compiled, 'active'), state: join(compiled, 'state.json') }
}

// Reading files takes the shell too long; with a hard link it compares that a source is the compiled file.
async function linkPolicyFiles({ root, gitDir, commonDir, files }: Workspace): Promise<boolean> {
  const { compiled } = layoutOf({ root, gitDir, commonDir })
  const linked = POLICY_FILES.map(async (path, n) => {
    const link = join(compiled, sourceLinkName(n))
    await files.clear(link)
    return (await files.modifiedAt(join(root, path))) === null || files.link(join(root, path), link)
  })
  return (await Promise.all(linked)).every(Boolean)
}
