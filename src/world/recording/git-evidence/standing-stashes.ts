import { join } from 'node:path'
import { readSignature } from '../../io/files/file-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The stat of the log of the stashes: while it is the same, so are they. */
export function stashLogSignature({ commonDir }: Workspace): Promise<string | null> {
  return readSignature(join(commonDir, STASH_LOG))
}

/** The commits of the stashes that git has a log of, the newest last. */
export async function loggedStashes({ files, commonDir }: Workspace): Promise<string[]> {
  const log = await files.readEnd(join(commonDir, STASH_LOG), BYTES_MAX)
  // `<old> <new> <who> <when> <zone>\t<message>`
  return [...textOf(log?.bytes).matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].flatMap(([, oid]) => oid ?? [])
}

const STASH_LOG = 'logs/refs/stash'

/** The commits of the stashes of `--autostash`, which hold the changes from before a rebase or merge that goes on. */
export async function autostashes({ files, gitDir }: Workspace): Promise<string[]> {
  // A file that can't be read names none.
  const read = (it: string) => files.read(join(gitDir, it), BYTES_MAX).catch(() => null)
  return (await Promise.all(AUTOSTASHES.map(read))).flatMap(it => /^[0-9a-f]{40,64}(?=\s*$)/.exec(textOf(it)) ?? [])
}

const AUTOSTASHES = ['rebase-merge/autostash', 'rebase-apply/autostash', 'MERGE_AUTOSTASH']

const BYTES_MAX = 8_192

function textOf(bytes: Buffer | null | undefined): string {
  return bytes?.toString('utf8') ?? ''
}
