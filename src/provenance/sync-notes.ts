import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { withLock } from '../io/files/lock.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { committerIdent, KOTEF_COMMITTER, NOTES_REF, notesTip } from './notes.ts'

/** What became of the notes: were there any to get, were there any to give. */
export type SyncResult = {
  readonly remote: string
  readonly fetched: boolean
  readonly pushed: boolean
  readonly tries: number
}

/**
 * Has this clone and a remote hold the same notes: fetches to a reference of its own, unites the records of each
 * commit, pushes, and begins again when somebody else was faster.
 */
export async function syncNotes(workspace: Workspace, remote: string): Promise<SyncResult> {
  const { git } = workspace
  let refused: { readonly at: string | null; readonly why: string } | null = null
  let fetched = false
  for (let tries = 1; ; tries++) {
    const theirs = await fetchNotes(workspace, remote)
    // What is refused although nobody else was faster will be refused again.
    if (refused && (refused.at === theirs || tries > SYNC_TRIES_MAX)) throw notesPushError(remote, refused.why)
    fetched = (await mergeNotes(workspace, theirs)) || fetched
    const ours = await git.ask(notesTip)
    if (ours === null || ours === theirs) return { remote, fetched, pushed: false, tries }
    const why = await pushNotes(workspace, remote, ours)
    if (why === null) return { remote, fetched, pushed: true, tries }
    refused = { at: theirs, why }
    await delay(Math.random() * RETRY_PAUSE_MS * tries)
  }
}

function notesPushError(remote: string, why: string): KotefError {
  return new KotefError('git-failed', `The notes can't be pushed to ${printable(remote)}: ${why}`)
}

const SYNC_TRIES_MAX = 20
const RETRY_PAUSE_MS = 50

function trackingRef(remote: string): string {
  return `refs/kotef/remotes/${Buffer.from(remote).toString('hex')}`
}

/** The tip of the remote's notes, as it was fetched; null when it has none. */
async function fetchNotes({ git }: Workspace, remote: string): Promise<string | null> {
  const listed = (await git.bytes(['ls-remote', '--end-of-options', remote, NOTES_REF])).toString('latin1')
  if (listed === '') return null
  const tracking = trackingRef(remote)
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance']
  await git.bytes(['fetch', ...quiet, '--end-of-options', remote, `+${NOTES_REF}:${tracking}`])
  return git.ask({ args: ['rev-parse', '--verify', tracking], parse: out => out.trim() })
}

/** Puts what was fetched into this clone's notes: true when there was something new. */
async function mergeNotes(workspace: Workspace, theirs: string | null): Promise<boolean> {
  const { git } = workspace
  if (theirs === null) return false
  return withLock(join(layoutOf(workspace).shared, 'notes.lock'), async () => {
    const ours = await git.ask(notesTip)
    if (ours === theirs) return false
    const merged = ours === null ? theirs : await mergeNoteTips(workspace, ours, theirs)
    // The hooks take no lock: what they have put there meanwhile stays, and the push finds that something is newer.
    await git.ask({ args: ['update-ref', NOTES_REF, merged, ours ?? ''], parse: () => null })
    return (await git.ask(notesTip)) !== ours
  })
}

// A note is records, a line each: lines of both sides, each once, are the records of both sides.
async function mergeNoteTips(workspace: Workspace, ours: string, theirs: string): Promise<string> {
  const { git, clock } = workspace
  const identity =
    (await committerIdent(workspace)) === KOTEF_COMMITTER
      ? ['-c', 'user.name=kotef', '-c', 'user.email=kotef@localhost']
      : []
  const scratch = `${NOTES_REF}-${clock.uuid()}`
  await git.ask({ args: ['update-ref', scratch, ours, ''], parse: () => null })
  try {
    await git.bytes([...identity, 'notes', `--ref=${scratch}`, 'merge', '--quiet', '--strategy=cat_sort_uniq', theirs])
    return await git.ask({ args: ['rev-parse', '--verify', scratch], parse: out => out.trim() })
  } finally {
    await git.ask({ args: ['update-ref', '-d', scratch], parse: () => null })
  }
}

/** Why the remote did not take the notes; null when it did. */
async function pushNotes({ git }: Workspace, remote: string, tip: string): Promise<string | null> {
  // kotef's own hook would have nothing to judge here, and would sync again.
  const args = ['push', '--quiet', '--no-verify', '--end-of-options', remote, `${tip}:${NOTES_REF}`]
  return git.bytes(args).then(
    () => null,
    (thrown: unknown) => (thrown instanceof KotefError ? thrown.message : Promise.reject(thrown)),
  )
}
