import type { GitQuery } from '../../core/git/query.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { Git } from '../io/git/git.ts'
import { KotefError } from '../../core/base/failure.ts'
import { printable } from '../../core/base/printable.ts'
import { trailersInAnyParagraph } from '../../core/git/trailers/combined-messages.ts'
import { citationIn } from '../../core/git/trailers/commits.ts'
import { trailerValues } from '../../core/git/trailers/parse-trailers.ts'
import { readFirstRecord } from '../ledger/first-record.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { type CommitPatch, lineMarker, PATCH_ARGS, patchReader } from '../../core/git/diff/patch.ts'
import { streamLines } from '../io/process/run.ts'

/** The commits of HEAD (null while it is unborn) and of the local branches. */
export const headAndBranches: GitQuery<{ head: string | null; branches: string[] }> = {
  args: ['show-ref', '--head', '--heads'],
  parse: out => {
    const refs = out.split('\n').map(it => it.split(' '))
    const oidsOf = (isMeant: (name: string) => boolean) =>
      refs.flatMap(([oid = '', name = '']) => (isMeant(name) ? [oid] : []))
    return { head: oidsOf(it => it === 'HEAD')[0] ?? null, branches: oidsOf(it => it.startsWith('refs/heads/')) }
  },
}

/** The commits that some tips reach and some ends don't, oldest first; with paths, those that change one of them. */
export function commitsBetween(
  tips: readonly string[],
  ends: readonly string[],
  paths: readonly string[] = [],
): GitQuery<string[]> {
  const order = ['--topo-order', '--reverse', '--full-history', '--ignore-missing']
  return {
    args: ['--literal-pathspecs', 'rev-list', ...order, ...tips, '--not', ...ends, '--', ...paths],
    parse: out => out.split('\n').slice(0, -1),
  }
}

/** The commits before the first one that a ledger can know of; null without both a ledger and a committed registry. */
export async function commitsBeforeLedger(workspace: Workspace): Promise<string[] | null> {
  const first = await readFirstRecord(workspace)
  if (first) return first.vcs ? [first.vcs.revision] : []
  const adoptions = await workspace.git.tryAsk(registryAdditions)
  const [adoption] = adoptions ?? []
  return adoption === undefined ? null : [`${adoption}^@`]
}

/** The commits that brought the registry into the history of HEAD, oldest first. */
export const registryAdditions: GitQuery<string[]> = {
  args: ['log', '--format=%H', '--diff-filter=A', '--full-history', '--reverse', 'HEAD', '--', REGISTRY_PATH],
  parse: out => out.split('\n').slice(0, -1),
}

/** The oid of the commit that a user's revision names. Throws when there is none. */
export async function requireCommit(git: Git, revision: string): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const commit = await git.tryAsk({ args, parse: out => out.trim() })
  if (commit) return commit
  throw new KotefError('usage', `${printable(revision)} is not a commit.`)
}

/** The date and the message of a commit. */
export type CommitSummary = { readonly date: string; readonly cited: readonly string[]; readonly subject: string }

/** The summaries of commits, by oid. */
export async function readCommitSummaries(git: Git, commits: readonly string[]): Promise<Map<string, CommitSummary>> {
  const chunks: Buffer[] = []
  if (commits.length === 0) return new Map()
  for await (const chunk of git.streamWithInput(SUMMARY_LOG_ARGS, { input: `${commits.join('\n')}\n` }))
    chunks.push(chunk)
  const fields = Buffer.concat(chunks).toString('utf8').split('\0')
  const summaries = new Map<string, CommitSummary>()
  for (let n = 0; n + 3 < fields.length; n += 4) {
    const [oid = '', date = '', subject = '', body = ''] = fields.slice(n, n + 4)
    summaries.set(oid, { date: new Date(date).toISOString(), cited: citedIntents(body), subject })
  }
  return summaries
}

const SUMMARY_LOG_ARGS = [
  ...['log', '-z', '--stdin', '--no-walk=unsorted', '--encoding=UTF-8', '--no-notes'],
  '--format=tformat:%H%x00%cI%x00%s%x00%B',
]

// Of a message in which no program finds a trailer, the intents that it names above other text.
function citedIntents(body: string): readonly string[] {
  const { cited } = citationIn(body)
  const named = cited.length > 0 ? cited : trailerValues(trailersInAnyParagraph(body), 'Intent-ID')
  return [...new Set(named)].filter(it => it !== '')
}

/** The patches of some commits, in their order, in parts of at most about 64 MiB: a large commit is in several. */
export async function* readPatches(
  git: Git,
  commits: readonly string[],
  xxh32: (bytes: Uint8Array) => number,
): AsyncGenerator<readonly CommitPatch[], void> {
  if (commits.length === 0) return
  const reader = patchReader(lineMarker(xxh32))
  let patches: CommitPatch[] = []
  let bytes = 0
  const keep = (patch: CommitPatch | null): void => void (patch && patches.push(patch))
  for await (const lines of streamLines(git.streamWithInput(PATCH_ARGS, { input: `${commits.join('\n')}\n` }))) {
    for (const line of lines) {
      bytes += line.length + LINE_BYTES
      keep(reader.line(line))
    }
    if (bytes < SEGMENT_BYTES) continue
    keep(reader.part())
    yield patches
    ;[patches, bytes] = [[], 0]
  }
  keep(reader.end())
  if (patches.length > 0) yield patches
}

// Bounds the memory for one part; the patch of a single larger file is a part of its own.
const SEGMENT_BYTES = 64 * 2 ** 20
// What a line takes beside its text.
const LINE_BYTES = 200

/**
 * The newest tips of branches, remote branches, a stash and a fetch, from before a time in milliseconds. Git's times
 * are whole seconds: of those of the same second, the tips that are not among the commits made here may be older.
 */
export function earlierTips(committedAt: number, madeHere: readonly string[]): GitQuery<string[]> {
  const tips = ['--branches', '--remotes', 'FETCH_HEAD', 'ORIG_HEAD', 'refs/stash']
  return {
    args: ['log', '--no-walk=sorted', '--ignore-missing', '--format=%ct %H', ...tips, '--'],
    parse: out =>
      out
        .split('\n')
        .map(it => it.split(' '))
        .filter(([date, oid = '']) => Number(date) * 1000 <= committedAt - (madeHere.includes(oid) ? 1 : 0))
        .flatMap(([, oid = '']) => (oid === '' ? [] : [oid]))
        .slice(0, EARLIER_TIPS_MAX),
  }
}

// More branches than are merged at a time.
const EARLIER_TIPS_MAX = 50
