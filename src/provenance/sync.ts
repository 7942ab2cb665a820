import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { withLock } from '../io/lock.ts'
import { KotefError } from '../report/failure.ts'
import { printable } from '../report/printable.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { committerIn, NOBODY, NOTES, notesTip } from './notes.ts'

/** What became of the notes: were there any to get, were there any to give. */
export type Synced = {
  readonly remote: string
  readonly fetched: boolean
  readonly pushed: boolean
  readonly tries: number
}

/**
 * Has this clone and a remote hold the same notes: fetches to a reference of its own, unites the records of each
 * commit, pushes, and begins again when somebody else was faster.
 */
export async function sync(workspace: Workspace, remote: string): Promise<Synced> {
  const { git } = workspace
  let refused: { readonly at: string | null; readonly why: string } | null = null
  let fetched = false
  for (let tries = 1; ; tries++) {
    const theirs = await fetchNotes(workspace, remote)
    // What is refused although nobody else was faster will be refused again.
    if (refused && (refused.at === theirs || tries > TRIES_MAX)) throw refusal(remote, refused.why)
    fetched = (await united(workspace, theirs)) || fetched
    const ours = await git.ask(notesTip)
    if (ours === null || ours === theirs) return { remote, fetched, pushed: false, tries }
    const why = await push(workspace, remote, ours)
    if (why === null) return { remote, fetched, pushed: true, tries }
    refused = { at: theirs, why }
    await delay(Math.random() * PAUSE_MS * tries)
  }
}

function refusal(remote: string, why: string): KotefError {
  return new KotefError('git-failed', `The notes can't be pushed to ${printable(remote)}: ${why}`)
}

const TRIES_MAX = 20
const PAUSE_MS = 50

function trackingOf(remote: string): string {
  return `refs/kotef/remotes/${Buffer.from(remote).toString('hex')}`
}

/** The tip of the remote's notes, as it was fetched; null when it has none. */
async function fetchNotes({ git }: Workspace, remote: string): Promise<string | null> {
  const listed = (await git.bytes(['ls-remote', '--end-of-options', remote, NOTES])).toString('latin1')
  if (listed === '') return null
  const tracking = trackingOf(remote)
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance']
  await git.bytes(['fetch', ...quiet, '--end-of-options', remote, `+${NOTES}:${tracking}`])
  return git.ask({ args: ['rev-parse', '--verify', tracking], parse: out => out.trim() })
}

/** Puts what was fetched into this clone's notes: true when there was something new. */
async function united(workspace: Workspace, theirs: string | null): Promise<boolean> {
  const { git } = workspace
  if (theirs === null) return false
  return withLock(join(placesOf(workspace).shared, 'notes.lock'), async () => {
    const ours = await git.ask(notesTip)
    if (ours === theirs) return false
    const merged = ours === null ? theirs : await mergedOf(workspace, ours, theirs)
    // The hooks take no lock: what they have put there meanwhile stays, and the push finds that something is newer.
    await git.ask({ args: ['update-ref', NOTES, merged, ours ?? ''], parse: () => null })
    return (await git.ask(notesTip)) !== ours
  })
}

// A note is records, a line each: lines of both sides, each once, are the records of both sides.
async function mergedOf(workspace: Workspace, ours: string, theirs: string): Promise<string> {
  const { git, clock } = workspace
  const who =
    (await committerIn(workspace)) === NOBODY ? ['-c', 'user.name=kotef', '-c', 'user.email=kotef@localhost'] : []
  const scratch = `${NOTES}-${clock.uuid()}`
  await git.ask({ args: ['update-ref', scratch, ours, ''], parse: () => null })
  try {
    await git.bytes([...who, 'notes', `--ref=${scratch}`, 'merge', '--quiet', '--strategy=cat_sort_uniq', theirs])
    return await git.ask({ args: ['rev-parse', '--verify', scratch], parse: out => out.trim() })
  } finally {
    await git.ask({ args: ['update-ref', '-d', scratch], parse: () => null })
  }
}

/** Why the remote did not take the notes; null when it did. */
async function push({ git }: Workspace, remote: string, tip: string): Promise<string | null> {
  // kotef's own hook would have nothing to judge here, and would sync again.
  const args = ['push', '--quiet', '--no-verify', '--end-of-options', remote, `${tip}:${NOTES}`]
  return git.bytes(args).then(
    () => null,
    (thrown: unknown) => (thrown instanceof KotefError ? thrown.message : Promise.reject(thrown)),
  )
}
