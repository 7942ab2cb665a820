import { withLock } from '../io/files/lock.ts'
import {
  areTwoFiles,
  LEDGER_HANDLING,
  type LedgerRepair,
  type LedgerState,
  ledgerState,
  type NamedFiles,
} from '../../core/ledger/ledger-names.ts'
import { layoutOf, ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { RESTORE_LOCK_WAIT_MS_MAX } from '../../core/base/thresholds.ts'

/** What an agent's hook opens. */
export type WorkspaceWithoutGit = Omit<Workspace, 'git'>

/** Where this worktree's ledger is, and how its two names stand. */
export type LedgerPlace = { readonly path: string; readonly state: LedgerState }

/** Finds this worktree's ledger, and changes nothing. Two stats, unless the names lead to two files. */
export async function locateLedger(workspace: WorkspaceWithoutGit): Promise<LedgerPlace> {
  const { ledger, keptLedger } = layoutOf(workspace)
  const [worktree, kept] = await Promise.all([ledger, keptLedger].map(it => workspace.files.stat(it)))
  const names = { worktree: worktree ?? null, kept: kept ?? null }
  const state = ledgerState(names, areTwoFiles(names) && (await isContinued(workspace, names)))
  return { path: LEDGER_HANDLING[state].use === 'kept' ? keptLedger : ledger, state }
}

/** True when the longer file begins with the whole content of the other. The end differs first, if anything does. */
async function isContinued(
  { files, ...places }: WorkspaceWithoutGit,
  { worktree, kept }: NamedFiles,
): Promise<boolean> {
  const { ledger, keptLedger } = layoutOf(places)
  const size = Math.min(worktree?.size ?? 0, kept?.size ?? 0)
  const areEqual = async (from: number): Promise<boolean> => {
    const to = Math.min(size, from + PART_BYTES)
    const [one, other] = await Promise.all([ledger, keptLedger].map(it => files.readAt(it, from, to)))
    return one !== undefined && other !== undefined && one.equals(other)
  }
  if (!(await areEqual(Math.max(0, size - PART_BYTES)))) return false
  for (let from = 0; from < size; from += PART_BYTES) if (!(await areEqual(from))) return false
  return true
}

const PART_BYTES = 2 ** 20

/** Links both names as far as the disk can, and returns the path to append to. For the holder of the ledger's lock. */
export async function settleLedger(workspace: Workspace): Promise<string> {
  for (let tried: LedgerState | null = null; ;) {
    const { path, state } = await locateLedger(workspace)
    const { repair } = LEDGER_HANDLING[state]
    // A repair without effect: the disk has no hard links, or not between these folders.
    if (repair === null || state === tried) return path
    await REPAIRS[repair](workspace)
    tried = state
  }
}

/** Puts another content in place of the ledger's. For the holder of its lock. */
export async function replaceLedger(workspace: Workspace, bytes: Buffer): Promise<void> {
  const { ledger, keptLedger } = layoutOf(workspace)
  const { state } = await locateLedger(workspace)
  const isInWorktree = state === 'absent' || state === 'worktree-only'
  // With one name, there is no moment with two different files.
  if (!isInWorktree) await workspace.files.remove(ledger)
  await workspace.files.replace(isInWorktree ? ledger : keptLedger, bytes, 0o600)
  await settleLedger(workspace)
}

/**
 * Gives a ledger that was deleted in the worktree its name back, and one that is only in the worktree its other name.
 * A failure is not an error: the ledger can be read by one name.
 */
export async function restoreLedger(workspace: Workspace): Promise<void> {
  await tryRestore(workspace).catch(() => {})
}

async function tryRestore(workspace: Workspace): Promise<void> {
  const { state } = await locateLedger(workspace)
  const { repair } = LEDGER_HANDLING[state]
  if (repair === null || repair === 'create' || (repair === 'keep' && !(await hasAppended(workspace)))) return
  const wait = { waitMsMax: RESTORE_LOCK_WAIT_MS_MAX }
  await withLock(ownPath(workspace, 'ledger.lock'), () => settleLedger(workspace), wait)
}

// A clone of a repository that tracks its ledger is not set up by a look at it.
async function hasAppended(workspace: Workspace): Promise<boolean> {
  return (await workspace.files.modifiedAt(ownPath(workspace, 'head.json'))) !== null
}

const REPAIRS: Readonly<Record<LedgerRepair, (workspace: Workspace) => Promise<unknown>>> = {
  create: async workspace => {
    const makesFolder = !(await hasAppended(workspace))
    await workspace.files.append(layoutOf(workspace).ledger, Buffer.alloc(0), { makesFolder })
  },
  keep: ({ files, ...places }) => files.link(layoutOf(places).ledger, layoutOf(places).keptLedger),
  restore: ({ files, ...places }) => files.link(layoutOf(places).keptLedger, layoutOf(places).ledger),
  'replace-worktree': async workspace => {
    const { ledger, keptLedger } = layoutOf(workspace)
    // Without hard links, the worktree has the ledger.
    if (!(await linkOver(workspace, keptLedger, ledger))) await workspace.files.move(keptLedger, ledger).catch(() => {})
  },
  'replace-kept': workspace => linkOver(workspace, layoutOf(workspace).ledger, layoutOf(workspace).keptLedger),
}

/** Makes a hard link in place of a file; false when the disk can't. */
async function linkOver({ files, clock, ...places }: Workspace, path: string, to: string): Promise<boolean> {
  const temporary = ownPath(places, `${clock.uuid()}.tmp`)
  if (!(await files.link(path, temporary))) return false
  await files.move(temporary, to)
  // A rename does nothing when both names lead to the same file already.
  await files.remove(temporary)
  return true
}
