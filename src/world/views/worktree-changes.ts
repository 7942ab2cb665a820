import { join } from 'node:path'
import { askDaemon, readDaemonAddress } from '../io/daemon-client/ask-daemon.ts'
import type { SettingChange } from '../../core/git/setting-changes.ts'
import { gitStatusWithIgnored } from '../../core/git/status.ts'
import { hiddenByNewFiles, isIgnoreFile, newFilesIn, trackedFilesIn } from '../io/git/ignore-sources.ts'
import { readFileState, readStatSummary } from '../io/files/file-state.ts'
import type { Session } from '../../core/intents/session.ts'
import { loadCheckpoint } from '../recording/observation/checkpoint.ts'
import { standingChanges } from '../recording/observation/git-settings.ts'
import { divergentPaths } from '../recording/observation/reconcile.ts'
import { mapSome } from '../recording/observation/turns.ts'
import { knownContent, untracedPaths, type WorktreeState } from '../recording/observation/worktree-state.ts'
import { sessionOfPath } from '../../core/handover/port.ts'
import { ALWAYS_COMMITTABLE } from '../../core/base/governance-files.ts'
import type { StatusReport } from '../../core/report/status-text.ts'
import { globList } from '../../core/base/globs.ts'
import { intentsOwning, openIntents, standingIntents, workIntents } from '../../core/rules/commit-facts.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import type { Policy } from '../../core/intents/scope/policy.ts'
import { isAutostarting } from '../io/daemon-client/autostart.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Whether a daemon watches the worktree, and since when. */
export async function daemonStatus(workspace: Workspace): Promise<StatusReport['daemon']> {
  const address = await readDaemonAddress(workspace)
  const answers = await askDaemon(workspace, { ask: 'status' })
  if (!answers || !address) return { running: false, starting: await isAutostarting(workspace) }
  await answers.return(undefined)
  return { running: true, pid: address.pid, since: address.since }
}

type Watched = { readonly untraced: readonly string[]; readonly settings: readonly SettingChange[] }

/** What the daemon knows, or else what the last checkpoint and git say. */
export async function watchedStatus(workspace: Workspace): Promise<Watched> {
  const answers = await askDaemon(workspace, { ask: 'status' })
  if (answers) {
    const { value } = (await answers.next()) as { value?: Partial<Watched> }
    await answers.return(undefined)
    return { untraced: [], settings: [], ...value }
  }
  const last = await loadCheckpoint(workspace)
  if (!last) return { untraced: await dirtyPaths(workspace), settings: [] }
  const settings = await standingChanges(workspace, last.state)
  const written = await withOtherContent(workspace, last.state, await divergentPaths(workspace, last.state))
  return { untraced: [...new Set([...written, ...untracedPaths(last.state)])], settings }
}

// A file that only has another time, as in a copy of the worktree, was not written.
async function withOtherContent(
  { root }: Workspace,
  state: WorktreeState,
  paths: readonly string[],
): Promise<readonly string[]> {
  const isOther = await mapSome(paths, async path => {
    // Nobody waits for the hash of such a file; git found that it may have changed.
    if (((await readStatSummary(join(root, path)))?.bytes ?? 0) > COMPARED_BYTES_MAX) return true
    const known = knownContent(state, path)
    const file = await readFileState(join(root, path))
    if (file && 'unread' in file) return true
    return file?.oid !== known?.oid || file?.mode !== known?.mode
  })
  return paths.filter((_, n) => isOther[n])
}

const COMPARED_BYTES_MAX = 32 * 1_048_576

/** Those of some paths that are there, or that HEAD has: a file that was made and deleted again is in nobody's way. */
export async function existingPaths({ root, files, git }: Workspace, paths: readonly string[]): Promise<string[]> {
  const times = await Promise.all(paths.map(it => files.modifiedAt(join(root, it)).catch(() => 0)))
  const gone = paths.filter((_, n) => times[n] === null)
  const args = ['ls-tree', '-rz', '--name-only', 'HEAD', '--', ...gone]
  const deleted = gone.length === 0 ? [] : ((await git.tryAsk({ args, parse: out => out.split('\0') })) ?? [])
  return paths.filter((it, n) => times[n] !== null || deleted.includes(it))
}

/**
 * Changed paths that the session's intent does not own; without a session, those that no open intent does. The files of
 * a handover's sessions need no intent's scope.
 */
export function pathsOutOfScope(policy: Policy, session: Session | null, dirty: readonly string[]): string[] {
  const judge = judgePath(policy)
  const scope = policy.intents.find(it => it.id === session?.intent) ?? []
  // What a standing intent serves is not outside for a person.
  const standing = session === null ? openIntents(policy) : session.kind === 'person' ? standingIntents(policy) : []
  const rides = globList(policy.rides ?? [])
  const isServed = (path: string) =>
    intentsOwning(path, standing, judge).length > 0 || (session === null && rides(path)?.kind === 'in')
  const isOutside = (path: string) => {
    const { kind } = judge(scope, path)
    if (kind === 'outside' && sessionOfPath(path)) return false
    return CLOSED_KINDS.includes(kind) || (['outside', 'excluded'].includes(kind) && !isServed(path))
  }
  return dirty.filter(it => !ALWAYS_COMMITTABLE.includes(it) && isOutside(it)).sort()
}

/** The open intents for work that own changed paths, each with the number of these. */
export function openWork(policy: Policy, dirty: readonly string[]): StatusReport['work'] {
  const judge = judgePath(policy)
  const counted = workIntents(policy).map(intent => {
    const files = dirty.filter(it => intentsOwning(it, [intent], judge).length > 0).length
    return { intent: intent.id, name: intent.name, files }
  })
  return counted.filter(it => it.files > 0)
}

const CLOSED_KINDS: readonly string[] = ['forbidden', 'ignored', 'constraint', 'malformed']

/** The changed paths, with what an ignore file hides that git does not have, and that file. */
export async function dirtyPaths({ root, git }: Workspace): Promise<string[]> {
  const { status, ignored } = await git.ask(gitStatusWithIgnored)
  const created = [...ignored, ...status.flatMap(it => (it.kind === 'untracked' ? [it.path] : []))]
  if (!created.some(isIgnoreFile)) return status.map(it => it.path)
  const hidden = [...(await hiddenByNewFiles(root, ignored, paths => git.ask(trackedFilesIn(paths))))]
  const files = hidden.length === 0 ? [] : await git.ask(newFilesIn(hidden))
  return [...status.map(it => it.path), ...files]
}
