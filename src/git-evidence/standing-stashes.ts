import { join } from 'node:path'
import { readSignature } from '../io/files/file-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

const STASH_LOG = 'logs/refs/stash'

// Of `--autostash`, while git rebases or merges: the stash of the changes from before.
const AUTOSTASHES = ['rebase-merge/autostash', 'rebase-apply/autostash', 'MERGE_AUTOSTASH']

const BYTES_MAX = 8_192

/** The stats of the files that name the stashes: while they are the same, so are the stashes. */
export async function stashesSignature({ gitDir, commonDir }: Workspace): Promise<string> {
  const named = [join(commonDir, STASH_LOG), ...AUTOSTASHES.map(it => join(gitDir, it))]
  return (await Promise.all(named.map(it => readSignature(it)))).join()
}

/** The commits of the stashes that there are, the newest last. */
export async function standingStashes({ files, gitDir, commonDir }: Workspace): Promise<string[]> {
  const log = await files.readEnd(join(commonDir, STASH_LOG), BYTES_MAX)
  // A file that can't be read names none.
  const readAutostash = (it: string) => files.read(join(gitDir, it), BYTES_MAX).catch(() => null)
  const autostashes = await Promise.all(AUTOSTASHES.map(readAutostash))
  return [...stashesIn(textOf(log?.bytes)), ...autostashes.flatMap(it => OID.exec(textOf(it)) ?? [])]
}

const OID = /^[0-9a-f]{40,64}(?=\s*$)/

// `<old> <new> <who> <when> <zone>\t<message>`; the newest comes last.
function stashesIn(log: string): string[] {
  return [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].flatMap(([, oid]) => oid ?? [])
}

function textOf(bytes: Buffer | null | undefined): string {
  return bytes?.toString('utf8') ?? ''
}
