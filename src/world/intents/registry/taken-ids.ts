import type { GitQuery } from '../../../core/git/query.ts'
import { openBlobs } from '../../io/git/blobs.ts'
import { listClaimRefs } from '../sessions/claim-refs.ts'
import { locateLedger } from '../../ledger/locate-ledger.ts'
import { readRegistryText } from '../../io/worktree/head.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The ids that other branches, the ledger or claims know already: an intent under one of them would clash later. */
export async function takenIds(workspace: Workspace): Promise<string[]> {
  return [...new Set([...(await idsInUse(workspace)), ...(await idsInLedger(workspace))])]
}

/** The ids that branches or claims have now; the ledger remembers also those that an intent had before. */
export async function idsInUse(workspace: Workspace): Promise<string[]> {
  return [...(await idsOnBranches(workspace)), ...(await idsOfClaims(workspace))]
}

async function idsOnBranches({ git, root }: Workspace): Promise<string[]> {
  const tips = new Set((await git.tryAsk(newestTips)) ?? [])
  await using blobs = openBlobs(root)
  const texts = await Promise.all([...tips].map(it => readRegistryText(blobs, it)))
  return [...new Set(texts)].flatMap(it => idsIn(it ?? '', /(?<!^\s*#.*)\bid: *["']?([A-Z][A-Z0-9]*-\d+)/gm))
}

const newestTips: GitQuery<string[]> = {
  args: [
    ...['for-each-ref', '--sort=-committerdate', '--count=200', '--format=%(objectname)'],
    ...['refs/heads', 'refs/remotes'],
  ],
  parse: out => out.split('\n').filter(it => it !== ''),
}

async function idsInLedger(workspace: Workspace): Promise<string[]> {
  const end = await workspace.files.readEnd((await locateLedger(workspace)).path, LEDGER_BYTES_MAX)
  return idsIn(end?.bytes.toString('latin1') ?? '', /"event":"intent-added","intent":"([^"]+)"/g)
}

// Older intents are in some branch's registry by now.
const LEDGER_BYTES_MAX = 16 * 1_048_576

async function idsOfClaims(workspace: Workspace): Promise<string[]> {
  return (await listClaimRefs(workspace)).map(it => it.intent)
}

function idsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(it => it[1] ?? '')
}
