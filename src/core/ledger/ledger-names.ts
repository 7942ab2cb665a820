/**
 * The ledger is one file with two names, hard links: one in the worktree, for people and other tools, and one in the
 * git directory, the kept one, which `git clean` does not reach.
 */
export type LedgerName = 'worktree' | 'kept'

/** What a name leads to. Two names with one identity are the same file. */
export type NamedFile = { readonly identity: string; readonly size: number; readonly isFile: boolean }

export type NamedFiles = Readonly<Record<LedgerName, NamedFile | null>>

/** How the two names stand. */
export type LedgerState =
  /** Neither leads to a file. */
  | 'absent'
  /** Both lead to the same file. */
  | 'linked'
  | 'worktree-only'
  | 'kept-only'
  /** They lead to two files, and one begins with the whole content of the other: with equal files, the kept one. */
  | 'worktree-behind'
  | 'kept-behind'
  /** They lead to two files, and neither continues the other. */
  | 'split'
  /** One of them leads to a directory or a device. */
  | 'not-a-file'

/**
 * How two names stand. `continues` says of two files whether the longer one begins with the whole content of the other
 * one.
 */
export function ledgerState({ worktree, kept }: NamedFiles, continues: boolean): LedgerState {
  if (worktree?.isFile === false || kept?.isFile === false) return 'not-a-file'
  if (!worktree) return kept ? 'kept-only' : 'absent'
  if (!kept) return 'worktree-only'
  if (worktree.identity === kept.identity) return 'linked'
  if (!continues) return 'split'
  return worktree.size > kept.size ? 'kept-behind' : 'worktree-behind'
}

/** True when only the content of two files shows how they stand. */
export function areTwoFiles(names: NamedFiles): boolean {
  return ledgerState(names, false) === 'split'
}

/** What is done in a state: the name under which the ledger is read and appended to, and the step that links both. */
export type LedgerHandling = { readonly use: LedgerName; readonly repair: LedgerRepair | null }

export type LedgerRepair =
  /** Makes an empty file in the worktree. */
  | 'create'
  /** Gives the worktree's file the kept name. */
  | 'keep'
  /** Gives the kept file the worktree's name, where there is none. */
  | 'restore'
  /** The same, in place of the worktree's file. */
  | 'replace-worktree'
  /** Gives the worktree's file the kept name, in place of the kept file. */
  | 'replace-kept'

/** No state loses a record, and a split is not settled: only a person knows which file is right. */
export const LEDGER_HANDLING: Readonly<Record<LedgerState, LedgerHandling>> = {
  absent: { use: 'worktree', repair: 'create' },
  linked: { use: 'kept', repair: null },
  'worktree-only': { use: 'worktree', repair: 'keep' },
  'kept-only': { use: 'kept', repair: 'restore' },
  'worktree-behind': { use: 'kept', repair: 'replace-worktree' },
  'kept-behind': { use: 'worktree', repair: 'replace-kept' },
  split: { use: 'kept', repair: null },
  'not-a-file': { use: 'worktree', repair: null },
}
