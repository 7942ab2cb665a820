import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushDaemon } from '../../world/io/daemon-client/ask-daemon.ts'
import type { TargetLocation } from '../../core/agents/gate/target-rows.ts'
import { blobOidOfFile } from '../../world/io/files/hash-file.ts'
import { askGitDirectly } from '../../world/io/git/run-git.ts'
import { ownContents } from '../../core/ledger/own-new-file.ts'
import { queryLedger } from '../../world/ledger/query-ledger.ts'
import { recordWithoutDaemon } from '../../world/recording/observation/record-without-daemon.ts'
import { liveSessions } from '../../world/intents/sessions/live-sessions.ts'
import { HOOK_FLUSH_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import { isSharedFile, type LocationQuestion } from './free-targets.ts'

/**
 * The locations of files that the session made: to remove what it should not have made is the way out. Only what
 * ledger, HEAD, index and worktree prove counts.
 */
export async function ownNewAmong(question: LocationQuestion, session: string): Promise<Set<TargetLocation>> {
  const { root } = question.worktree
  const workspace = await openWorkspace(root)
  // What was written last may be of another author.
  if (!(await flushDaemon(workspace, HOOK_FLUSH_WAIT_MS_MAX))) await recordWithoutDaemon(workspace)
  const own = question.of.map(async ({ location, target }) => {
    if (location.kind !== 'inside') return []
    const isShared = await isSharedFile(question, { at: join(root, location.path), target })
    return !isShared && (await isOwnNewFile(workspace, location.path, session)) ? [location] : []
  })
  return new Set((await Promise.all(own)).flat())
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
