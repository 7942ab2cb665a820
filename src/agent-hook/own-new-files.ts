import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushDaemon } from '../daemon-client/ask-daemon.ts'
import type { TargetAuthority, TargetFact } from '../gate/judge-target.ts'
import { whyNotWritten } from '../handover/agents.ts'
import { blobOidOfFile } from '../io/files/hash-file.ts'
import { askGitDirectly } from '../io/git/run-git.ts'
import { ownContents } from '../ledger/own-new-file.ts'
import { queryLedger } from '../ledger-store/query-ledger.ts'
import { recordWithoutDaemon } from '../observation/record-without-daemon.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { HOOK_FLUSH_WAIT_MS_MAX } from '../timing/thresholds.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { isSharedFile } from './free-targets.ts'

type RemovalFacts = {
  readonly session: string
  readonly targets: readonly TargetFact[]
  readonly authority: Pick<TargetAuthority, 'intent' | 'judge' | 'role'>
}

/**
 * The targets without the files outside the scope that a call removes, and that its session made: to remove what it
 * should not have made is the way out. Only what ledger, HEAD, index and worktree prove counts.
 */
export async function withoutOwnNewFiles(root: string, facts: RemovalFacts): Promise<TargetFact[]> {
  const paths = facts.targets.map(it => removedPath(it, facts))
  if (paths.every(it => it === null)) return [...facts.targets]
  const workspace = await openWorkspace(root)
  // What was written last may be of another author.
  if (!(await flushDaemon(workspace, HOOK_FLUSH_WAIT_MS_MAX))) await recordWithoutDaemon(workspace)
  return Promise.all(
    facts.targets.map(async (target, n) => {
      const path = paths[n] ?? null
      const isShared = path !== null && (await isSharedFile(workspace, { at: join(root, path), target }, facts))
      const isOwn = path !== null && !isShared && (await isOwnNewFile(workspace, path, facts.session))
      return isOwn ? { ...target, locations: [] } : target
    }),
  )
}

/** The path of a target that a call only takes away, and that only the scope speaks against; null for any other. */
function removedPath(target: TargetFact, { authority }: RemovalFacts): string | null {
  const [location, another] = target.locations
  const isOne = target.removes === true && another === undefined && target.currentOidsBelow === undefined
  if (!isOne || location?.kind !== 'inside') return null
  const { role = null, intent, judge } = authority
  if (role !== null && whyNotWritten(location.path, role) !== null) return null
  const { kind } = judge(intent.owned_scope, location.path)
  return kind === 'outside' || kind === 'excluded' ? location.path : null
}

async function isOwnNewFile(workspace: Workspace, path: string, session: string): Promise<boolean> {
  const { root } = workspace
  const stat = await lstat(join(root, path)).catch(() => null)
  if (!stat?.isFile() || stat.nlink > 1) return false
  const [inHead, staged] = await Promise.all([
    askGitDirectly(root, { args: ['ls-tree', '-z', '--full-tree', 'HEAD', '--', path], parse: out => out !== '' }),
    askGitDirectly(root, { args: ['--literal-pathspecs', 'ls-files', '-sz', '--', path], parse: stagedOids }),
  ])
  if (inHead !== false || staged === null) return false
  const { records, problems } = await queryLedger(workspace, { wanted: { file: path }, limit: null })
  const personsWork = (await liveSessions(workspace)).some(it => it.kind === 'person')
  const own = problems.length === 0 ? ownContents(records, { path, session, personsWork }) : null
  if (own === null || staged.some(it => !own.all.has(it))) return false
  return (await blobOidOfFile(join(root, path), stat.size)) === own.last
}

function stagedOids(out: string): string[] {
  return out.split('\0').flatMap(it => /^\d+ ([0-9a-f]+) /.exec(it)?.[1] ?? [])
}
