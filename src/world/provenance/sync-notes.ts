import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { withLock } from '../io/files/lock.ts'
import { KotefError } from '../../core/base/failure.ts'
import { printable } from '../../core/base/printable.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { NOTES_REF, notesTip } from '../ledger/notes.ts'
import { SYNC_RETRY_PAUSE_MS } from '../../core/base/thresholds.ts'

/** The result of a sync: whether notes were fetched, and whether notes were pushed. */
export type SyncResult = {
  readonly remote: string
  readonly fetched: boolean
  readonly pushed: boolean
  readonly tries: number
}

/**
 * Makes the notes of this clone and of a remote equal: fetches them to a tracking reference, merges the records of each
 * commit, pushes, and tries again when another push was faster.
 */
export async function syncNotes(workspace: Workspace, remote: string): Promise<SyncResult> {
  const { git } = workspace
  let refused: { readonly at: string | null; readonly why: string } | null = null
  let fetched = false
  for (let tries = 1; ; tries++) {
    const theirs = await fetchNotes(workspace, remote)
    // A push that is refused although the remote's notes did not change would be refused again.
    if (refused && (refused.at === theirs || tries > SYNC_TRIES_MAX)) throw notesPushError(remote, refused.why)
    fetched = (await mergeNotes(workspace, theirs)) || fetched
    const ours = await git.ask(notesTip)
    if (ours === null) return { remote, fetched, pushed: false, tries }
    const why: string | null = ours === theirs ? null : await pushNotes(workspace, remote, ours)
    if (why === null) {
      await workspace.files.put(sharedTipPath(workspace), `${ours}\n`)
      return { remote, fetched, pushed: ours !== theirs, tries }
    }
    refused = { at: theirs, why }
    await delay(Math.random() * SYNC_RETRY_PAUSE_MS * tries)
  }
}

// Where the pre-push hook and a sync keep the tip of the notes that a remote got last.
function sharedTipPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'notes-shared')
}

/** How many commits have notes that no remote has got; 0 where none was ever shared, or the last is unknown. */
export async function countUnsharedNotes(workspace: Workspace): Promise<number> {
  const shared = (await workspace.files.read(sharedTipPath(workspace)))?.toString('utf8').trim() ?? ''
  const ours = shared === '' ? null : await workspace.git.tryAsk(notesTip)
  if (ours === null || ours === shared) return 0
  const args = ['diff-tree', '-r', '--name-only', '--end-of-options', shared, ours, '--']
  return (await workspace.git.tryAsk({ args, parse: out => out.split('\n').length - 1 })) ?? 0
}

function notesPushError(remote: string, why: string): KotefError {
  return new KotefError('git-failed', `The notes can't be pushed to ${printable(remote)}: ${why}`)
}

// Several clones may push at the same moment. The pause is random and grows, so that they don't meet again.
const SYNC_TRIES_MAX = 20

function trackingRef(remote: string): string {
  return `refs/kotef/remotes/${Buffer.from(remote).toString('hex')}`
}

/** Fetches the remote's notes; their tip, or null when there are none. */
export async function fetchNotes({ git }: NotesSource, remote: string): Promise<string | null> {
  const listed = (await git.bytes(['ls-remote', '--end-of-options', remote, NOTES_REF])).toString('latin1')
  if (listed === '') return null
  const tracking = trackingRef(remote)
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance']
  await git.bytes(['fetch', ...quiet, '--end-of-options', remote, `+${NOTES_REF}:${tracking}`])
  return git.ask({ args: ['rev-parse', '--verify', tracking], parse: out => out.trim() })
}

type NotesSource = { readonly git: Pick<Workspace['git'], 'bytes' | 'ask'> }

/** Merges fetched notes into this clone's: true when they had something new. */
export async function mergeNotes(workspace: Workspace, theirs: string | null): Promise<boolean> {
  const { git } = workspace
  if (theirs === null) return false
  return withLock(join(layoutOf(workspace).shared, 'notes.lock'), async () => {
    const ours = await git.ask(notesTip)
    // The hooks take no lock. After a change of theirs nothing is merged, and the push is refused.
    if (ours !== theirs) await (await import('./merge-notes.ts')).mergeNotesTip(workspace, { ours, theirs })
    return (await git.ask(notesTip)) !== ours
  })
}

/** Git's reason why the push failed; null when it succeeded. */
async function pushNotes({ git }: Workspace, remote: string, tip: string): Promise<string | null> {
  // Without `--no-verify` kotef's own pre-push hook would sync again.
  const args = ['push', '--quiet', '--no-verify', '--end-of-options', remote, `${tip}:${NOTES_REF}`]
  return git.bytes(args).then(
    () => null,
    (thrown: unknown) => (thrown instanceof KotefError ? thrown.message : Promise.reject(thrown)),
  )
}

// A fork has no name here: `https://…`, `git@host:path`, or the path of a folder. An option of git is none of them.
function isAddress(text: string): boolean {
  return /^(?:[a-z][a-z+]*:\/\/|[^-/\s][^/\s]*:|\.{0,2}\/)/.test(text)
}

/** The remote to use: the named one or an address, else that of the branch, else `origin`, else the only one. */
export async function chooseRemote({ git }: Workspace, named: string): Promise<string> {
  const remotes = await git.ask({ args: ['remote'], parse: out => out.split('\n').slice(0, -1) })
  if (named !== '') {
    if (remotes.includes(named) || isAddress(named)) return named
    throw new KotefError('usage', `There is no remote ${printable(named)}.`, { hint: 'See them: `git remote -v`' })
  }
  const branch = await git.ask({ args: ['symbolic-ref', '--quiet', '--short', 'HEAD'], parse: out => out.trim() })
  const own =
    branch === '' ? '' : await git.ask({ args: ['config', `branch.${branch}.remote`], parse: out => out.trim() })
  const remote = [own, 'origin', remotes.length === 1 ? (remotes[0] ?? '') : ''].find(it => remotes.includes(it))
  if (remote !== undefined) return remote
  throw new KotefError('usage', 'There is no remote to sync with.', { hint: 'Add one: `git remote add origin <url>`' })
}
