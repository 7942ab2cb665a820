import { basename, join } from 'node:path'
import { openLedger } from '../../../world/ledger/open-ledger.ts'
import { readWholeLines } from '../../../world/ledger/read-whole-lines.ts'
import { LEDGER_PATH } from '../../../core/base/governance-files.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import { type WatchedFolders, type WatchedNames, watchFolders } from '../../../world/io/worktree/watched-folders.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** What may have changed: the ledger, or the state of the worktree, such as its sessions and its HEAD. */
export type LiveChange = 'ledger' | 'state'

/** What the streams of all clients are made of. It watches files while there is a client, and costs nothing idle. */
export type LiveSource = Disposable & {
  /** Passes each change to a listener, until the result is called. */
  listen(listener: (change: LiveChange) => void): Promise<() => void>
  ledgerPart(from: number): Promise<LedgerPart>
}

/** Whole lines of the ledger; `to` is where they end. `isGap` when lines before them were left out. */
export type LedgerPart = { readonly lines: Buffer; readonly from: number; readonly to: number; readonly isGap: boolean }

/** Opens the source of a worktree. */
export function liveSource(workspace: Workspace): LiveSource {
  const listeners = new Set<(change: LiveChange) => void>()
  let folders: WatchedFolders | null = null
  const changed = (name: string): void => {
    const change = name === basename(LEDGER_PATH) ? 'ledger' : 'state'
    for (const it of listeners) it(change)
    if (change === 'state') void folders?.renew()
  }
  const stop = (): void => {
    folders?.[Symbol.dispose]()
    folders = null
  }
  return {
    async listen(listener) {
      listeners.add(listener)
      folders ??= watchFolders(namesByFolder(workspace), changed)
      await folders.renew()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    ledgerPart: from => readPart(workspace, from),
    [Symbol.dispose]: stop,
  }
}

function namesByFolder(workspace: Workspace): WatchedNames {
  const { root, gitDir, commonDir } = workspace
  const { own, sessions, intents } = layoutOf(workspace)
  return {
    [root]: /^\.(orchestration|git)$/,
    [join(root, '.orchestration')]: /^(agent_trace\.jsonl|active_intents\.yaml|config\.yaml|intents)$/,
    [intents]: /\.yaml$/,
    [own]: /^(agent_trace\.jsonl|daemon\.json|sessions|requests|runs)$/,
    [sessions]: /\.json$/,
    [join(own, 'requests')]: /\.json$/,
    [join(own, 'runs')]: /\.json$/,
    [gitDir]: /^(HEAD|packed-refs|kotef|logs)$/,
    [join(gitDir, 'logs')]: /^HEAD$/,
    [join(commonDir, 'refs/notes')]: /^kotef$/,
  }
}

// A client that missed more than this reads the page again.
const PART_BYTES_MAX = 1_048_576
// What one answer holds in memory; a longer line is read whole.
const READ_BYTES_MAX = 65_536

async function readPart(workspace: Workspace, wanted: number): Promise<LedgerPart> {
  await using ledger = await openLedger(workspace)
  if (!ledger) return { lines: Buffer.alloc(0), from: 0, to: 0, isGap: wanted > 0 }
  const { size } = ledger
  // A shorter ledger is another one.
  const isGap = wanted > size || size - wanted > PART_BYTES_MAX
  const from = isGap ? size : wanted
  const few = await ledger.read(from, Math.min(size, from + READ_BYTES_MAX))
  const end = few.lastIndexOf(LF) + 1
  const lines = end > 0 || size - from <= READ_BYTES_MAX ? few.subarray(0, end) : await readWholeLines(ledger, from)
  return { lines, from, to: from + lines.length, isGap }
}

const LF = 0x0a
