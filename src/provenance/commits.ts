import type { GitQuery } from '../diff/query.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import type { Git } from '../io/git.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { KotefError } from '../report/failure.ts'
import { printable } from '../report/printable.ts'
import { trailersAnywhere } from '../trailers/combined.ts'
import { trailersOf, valuesOf } from '../trailers/read.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** Where HEAD stands, null while it is unborn, and where local branches do. */
export const tips: GitQuery<{ head: string | null; branches: string[] }> = {
  args: ['show-ref', '--head', '--heads'],
  parse: out => {
    const refs = out.split('\n').map(it => it.split(' '))
    const oidsOf = (isMeant: (name: string) => boolean) =>
      refs.flatMap(([oid = '', name = '']) => (isMeant(name) ? [oid] : []))
    return { head: oidsOf(it => it === 'HEAD')[0] ?? null, branches: oidsOf(it => it.startsWith('refs/heads/')) }
  },
}

/** The commits that some tips reach and some ends don't, oldest first. */
export function commitsBetween(tips: readonly string[], ends: readonly string[]): GitQuery<string[]> {
  return {
    args: ['rev-list', '--topo-order', '--reverse', '--ignore-missing', ...tips, '--not', ...ends, '--'],
    parse: out => out.split('\n').slice(0, -1),
  }
}

/** The commits before any that a ledger can tell of; null when neither ledger nor registry says where that is. */
export async function beforeAll(workspace: Workspace): Promise<string[] | null> {
  const first = await firstRecord(workspace)
  if (first) return first.vcs ? [first.vcs.revision] : []
  const adoptions = await workspace.git.tryAsk(registryAdded)
  const [adoption] = adoptions ?? []
  return adoption === undefined ? null : [`${adoption}^@`]
}

async function firstRecord({ files, ...places }: Workspace): Promise<TraceRecord | null> {
  const { readLedger } = await import('../ledger/read.ts')
  const { ledger } = placesOf(places)
  if ((await files.modifiedAt(ledger)) === null) return null
  const bytes = await files.readAt(ledger, 0, FIRST_BYTES)
  return readLedger(bytes.toString('utf8', 0, bytes.indexOf(LF) + 1)).entries[0]?.record ?? null
}

const LF = 0x0a
// The first line of a ledger says that it begins, and little else.
const FIRST_BYTES = 65_536

const registryAdded: GitQuery<string[]> = {
  args: ['log', '--format=%H', '--diff-filter=A', '--full-history', '--reverse', 'HEAD', '--', REGISTRY_PATH],
  parse: out => out.split('\n').slice(0, -1),
}

/** The oid of the commit that a revision names, as a user gives it; refused when there is none. */
export async function commitNamed(git: Git, revision: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const commit = await git.tryAsk({ args, parse: out => out.trim() })
  if (commit) return commit
  throw new KotefError('usage', `${printable(revision)} is no commit.`)
}

/** What a commit's message and its committer say. */
export type CommitHead = { readonly date: string; readonly cited: readonly string[]; readonly subject: string }

/** The heads of commits, by their oid. */
export async function headsOf(git: Git, commits: readonly string[]): Promise<Map<string, CommitHead>> {
  const chunks: Buffer[] = []
  if (commits.length === 0) return new Map()
  for await (const chunk of git.piped(HEADS, { input: `${commits.join('\n')}\n` })) chunks.push(chunk)
  const fields = Buffer.concat(chunks).toString('utf8').split('\0')
  const heads = new Map<string, CommitHead>()
  for (let n = 0; n + 3 < fields.length; n += 4) {
    const [oid = '', date = '', subject = '', body = ''] = fields.slice(n, n + 4)
    heads.set(oid, { date: new Date(date).toISOString(), cited: citedIn(body), subject })
  }
  return heads
}

const HEADS = [
  ...['log', '-z', '--stdin', '--no-walk=unsorted', '--no-show-signature', '--encoding=UTF-8', '--no-notes'],
  '--format=tformat:%H%x00%cI%x00%s%x00%B',
]

function citedIn(body: string): string[] {
  const block = valuesOf(trailersOf(body), 'Intent-ID')
  const cited = block.length > 0 ? block : valuesOf(trailersAnywhere(body), 'Intent-ID')
  return [...new Set(cited)].filter(it => it !== '')
}
