import {
  type Citation,
  CITATIONS_WITH_TIME,
  commitsNamingIntents,
  mergesAmong,
  parseCitationWithTime,
  touchedPaths,
  type TreeFile,
} from '../../../core/git/line-history.ts'
import { join } from 'node:path'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'
import { openFilteredHistory } from '../../io/git/filtered-history.ts'
import { blameEach, startBlame } from '../../io/git/start-blame.ts'
import { type KnownFormats, throughFormats } from '../../ledger/through-formats.ts'
import { readNoteRecords } from '../../ledger/notes.ts'
import { streamLines } from '../../io/process/run.ts'
import type { LineRun } from '../../../core/code/map/make-entries.ts'
import { ALWAYS_COMMITTABLE } from '../../../core/base/governance-files.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The commit of each line of the files that may have lines of an intent, and what those commits cite. */
export type LineHistory = {
  readonly head: string
  /** The runs of each path, in the order of lines; a path without lines of an intent has none. */
  readonly runs: ReadonlyMap<string, readonly LineRun[]>
  readonly citations: ReadonlyMap<string, Citation>
}

/**
 * The history of the lines of HEAD. It is kept: the next time only files are blamed that a commit touched which the two
 * histories do not share. The answer is the same as without that file, which is always safe to delete.
 */
export async function lineHistoryAt(
  workspace: Workspace,
  { head, files, progress }: HistoryWish,
): Promise<LineHistory> {
  const before = await readHistory(workspace)
  const touched = await pathsToBlame(workspace, before, head)
  const known = before?.runs ?? {}
  const present = files.map(it => it.path).filter(it => !ALWAYS_COMMITTABLE.includes(it))
  const kept = present.filter(it => Object.hasOwn(known, it) && !touched.has(it)).map(it => [it, known[it]!] as const)
  const toBlame = present.filter(it => touched.has(it))
  await using filtered = await openFilteredHistory(workspace, { head, files: toBlame.length })
  const reader = { ...workspace, git: filtered.git }
  const blamed = await blameEach(toBlame, path => blameOne(reader, head, { path }), progress)
  const formats: KnownFormats = new Map(Object.entries(before?.formats ?? {}))
  const again = (path: string, ignored: readonly string[]) => blameOne(reader, head, { path, ignored })
  const recordsOn = (commits: readonly string[]) => readNoteRecords(workspace, commits)
  const runs = await throughFormats(new Map([...kept, ...blamed]), { recordsOn, again }, formats)
  const commits = [...new Set([...runs.values()].flatMap(of => of.map(it => it.commit)))]
  const citations = await citationsOf(workspace, commits, before?.citations ?? {})
  const stored = storedForm({ head, runs, citations, formats })
  await workspace.files.put(historyPath(workspace), JSON.stringify(stored))
  return { head, runs, citations }
}

type HistoryWish = {
  readonly head: string
  readonly files: readonly TreeFile[]
  /** Called with the share of the files to blame that are blamed. */
  readonly progress: (share: number) => void
}

type StoredHistory = {
  readonly head: string
  readonly runs: Readonly<Record<string, readonly LineRun[]>>
  readonly citations: Readonly<Record<string, Citation>>
  /** As `throughFormats` knows them. */
  readonly formats?: Readonly<Record<string, readonly string[]>>
}

function storedForm({ head, ...maps }: LineHistory & { readonly formats: KnownFormats }): StoredHistory {
  const [runs, citations, formats] = [maps.runs, maps.citations, maps.formats].map(it =>
    Object.fromEntries<unknown>(it),
  )
  return { head, runs, citations, formats } as StoredHistory
}

async function readHistory(workspace: Workspace): Promise<StoredHistory | null> {
  const bytes = await workspace.files.read(historyPath(workspace), LARGE_FILE_BYTES_MAX).catch(() => null)
  const stored = parseObject(bytes?.toString('utf8') ?? '') as Partial<StoredHistory> | null
  const isWhole = stored?.runs && stored.citations && /^[0-9a-f]{40,64}$/.test(stored.head ?? '')
  return isWhole ? (stored as StoredHistory) : null
}

function historyPath(workspace: Workspace): string {
  return ownPath(workspace, 'map', 'history.json')
}

/** The paths whose lines may come from other commits than before; without a history, those that an intent may have. */
async function pathsToBlame(
  { git }: Workspace,
  before: StoredHistory | null,
  head: string,
): Promise<ReadonlySet<string>> {
  if (before?.head === head) return new Set()
  const merges = before && (await git.tryAsk(mergesAmong([`${before.head}...${head}`])))
  if (merges) {
    // At a merge, git blames a parent that has the same file: another merge of the same parents may choose another one.
    const sides = merges.flatMap(parents => parents.slice(1).map(it => `${parents[0]!}...${it}`))
    const paths = await Promise.all([`${before.head}...${head}`, ...sides].map(it => git.tryAsk(touchedPaths([it]))))
    if (paths.every(it => it !== null)) return new Set(paths.flatMap(it => [...it]))
  }
  const [first] = await git.ask(commitsNamingIntents(head))
  if (first === undefined) return new Set()
  // No commit before the first that cites an intent has one that does among its ancestors.
  return git.ask(touchedPaths([head, ...first.slice(1).map(it => `^${it}`)]))
}

async function blameOne(
  { git, root }: Workspace,
  revision: string,
  { path, ignored = [] }: { readonly path: string; readonly ignored?: readonly string[] },
): Promise<LineRun[]> {
  const chunks = await startBlame(git, { file: join(root, path), revision, ranges: [], ignored }).catch(() => [])
  return chunks.map(({ at, lines, commit }) => ({ at, lines, commit })).toSorted((a, b) => a.at - b.at)
}

async function citationsOf(
  { git }: Workspace,
  commits: readonly string[],
  known: Readonly<Record<string, Citation>>,
): Promise<Map<string, Citation>> {
  const citations = new Map(commits.flatMap(it => (known[it] ? [[it, known[it]] as const] : [])))
  const missing = commits.filter(it => !citations.has(it))
  if (missing.length === 0) return citations
  for await (const lines of streamLines(git.streamWithInput(CITATIONS_WITH_TIME, { input: `${missing.join('\n')}\n` })))
    for (const [commit, citation] of lines.map(it => parseCitationWithTime(it.toString('utf8'))))
      citations.set(commit, citation)
  return citations
}
