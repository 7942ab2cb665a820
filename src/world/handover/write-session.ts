import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import { blobOid } from '../../core/git/blob-oid.ts'
import { HISTORY_FILE } from '../../core/handover/approval-history.ts'
import {
  CONTRACT_FILES,
  type HandoverSession,
  readHandoverSession,
  type SessionFiles,
  sessionPath,
} from '../../core/handover/handover-session.ts'
import { refusedEdit, type SessionEdit } from '../../core/handover/session-edit.ts'
import { withLock } from '../io/files/lock.ts'
import { HANDOVER_LOCK_MS_MAX } from '../../core/base/thresholds.ts'
import { shellQuoted } from '../../core/base/printable.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { filesHere, withGates } from './task-facts.ts'
import { newHandoverProblems } from './judge-changes.ts'
import { readHandoverFiles } from './session-folder.ts'

/** Computes an edit of a session as it is now. It may be called again, when another program has changed the session. */
export type EditSession = (session: HandoverSession) => SessionEdit | Promise<SessionEdit>

export type SessionWrite = {
  readonly session: string
  readonly edit: EditSession
  /** What a person said, which is kept when it can't be written. */
  readonly captured: unknown
}

/**
 * Edits a session: under a lock, on its current files, checked before and read back after. What the disk refuses is
 * tried again with the same answers; in the end they are kept in a file beside, and the failure says where.
 */
export async function writeSessionEdit(
  workspace: Workspace,
  write: SessionWrite,
  { waitMsMax = HANDOVER_LOCK_MS_MAX }: { waitMsMax?: number } = {},
): Promise<HandoverSession> {
  const lock = ownPath(workspace, `handover-${write.session}.lock`)
  let failure: unknown = null
  const attempted: Attempted = { files: null }
  for (let attempt = 0; attempt <= WRITE_RETRIES; attempt++) {
    try {
      return await withLock(lock, () => editOnce(workspace, write, attempted), { waitMsMax })
    } catch (thrown) {
      failure = thrown
      if (!(thrown instanceof KotefError)) continue
      // Another program holds the lock: waiting longer does not help, and the answers must not be lost.
      if (thrown.code !== 'ledger-busy') throw thrown
      break
    }
  }
  throw await blockedFailure(workspace, write, failure)
}

const WRITE_RETRIES = 3

// What the last attempt was to write: it may be there although the disk said no.
type Attempted = { files: SessionFiles | null }

async function editOnce(
  workspace: Workspace,
  { session: name, edit }: SessionWrite,
  attempted: Attempted,
): Promise<HandoverSession> {
  const before = await readHandoverFiles(workspace, name)
  if (attempted.files && isSame(before, ofContract(attempted.files))) return readHandoverSession(before).session
  const wanted = await edit(readHandoverSession(before).session)
  const after = withEdit(before, wanted)
  await refuseNewProblems(workspace, before, after)
  await requireUnchanged(workspace, before)
  attempted.files = after
  await writeFiles(workspace, before, after)
  return readHandoverSession(after).session
}

function withEdit({ name, texts }: SessionFiles, { files, history = '' }: SessionEdit): SessionFiles {
  const edited = new Map([...texts, ...Object.entries(files)])
  const requests = texts.get(HISTORY_FILE) ?? ''
  // A retry must not append the same request twice.
  if (history !== '' && !requests.endsWith(history)) edited.set(HISTORY_FILE, requests + history)
  return { name, texts: edited }
}

// A session that has problems already can be edited: what is wrong is mended step by step.
async function refuseNewProblems(workspace: Workspace, before: SessionFiles, after: SessionFiles): Promise<void> {
  const here = filesHere(workspace)
  const change = await withGates({ before, after, role: null }, here, { isLater: false, aside: here })
  const added = newHandoverProblems(change)
  if (added.length === 0) return
  const lines = added.map(
    it => `  ${it.file}${it.pointer === null ? '' : ` ${it.pointer}`}: expected ${it.expected}, found ${it.found}`,
  )
  throw refusedEdit(['The session would break its contract; nothing was changed.', ...lines].join('\n'))
}

// Programs that do not take the lock may write as well.
async function requireUnchanged(workspace: Workspace, before: SessionFiles): Promise<void> {
  const now = await readHandoverFiles(workspace, before.name)
  if (!isSame(before, now)) throw new Error('The session was changed by another program at the same moment.')
}

async function writeFiles(workspace: Workspace, before: SessionFiles, after: SessionFiles): Promise<void> {
  const changed = [...after.texts].filter(([file, text]) => before.texts.get(file) !== text)
  // A request for changes is kept before anything says that it was made.
  const isHistory = ([file]: readonly [string, string]): boolean => file === HISTORY_FILE
  for (const [file, text] of [...changed.filter(isHistory), ...changed.filter(it => !isHistory(it))])
    await workspace.files.replace(pathOf(workspace, after, file), text)
  for (const [file, text] of changed) {
    const read = await workspace.files.read(pathOf(workspace, after, file))
    if (read?.toString('utf8') !== text) throw new Error(`${file} has other content than was written.`)
  }
}

function pathOf({ root }: Workspace, { name }: SessionFiles, file: string): string {
  return join(root, sessionPath(name, file))
}

function ofContract({ name, texts }: SessionFiles): SessionFiles {
  return { name, texts: new Map([...texts].filter(([file]) => CONTRACT_FILES.includes(file))) }
}

function isSame(one: SessionFiles, other: SessionFiles): boolean {
  return one.texts.size === other.texts.size && [...one.texts].every(([file, text]) => other.texts.get(file) === text)
}

async function blockedFailure(workspace: Workspace, write: SessionWrite, cause: unknown): Promise<KotefError> {
  const why = cause instanceof Error ? cause.message : String(cause)
  const text = `${JSON.stringify({ session: write.session, captured: write.captured }, null, 2)}\n`
  const path = ownPath(workspace, 'handover-recovery', `${blobOid(Buffer.from(text)).slice(0, 12)}.json`)
  const kept = await workspace.files.replace(path, text, 0o600).then(
    () => true,
    () => false,
  )
  const again = `kotef handover answer --from ${shellQuoted(path)}`
  const hint = kept
    ? `What was to be written is in ${path}. Repair the disk, and run \`${again}\``
    : `It could not be kept either. Repair the disk, and write this again: ${JSON.stringify(write.captured)}`
  return new KotefError('handover-blocked', `BLOCKED: ${write.session} could not be written: ${why}`, { cause, hint })
}
