import { join } from 'node:path'
import { commitsOfIndex } from '../../core/git/reflog.ts'
import type { ToolWindow } from '../../core/authorship/tool-window.ts'
import { isAnyAuthorUnknown } from '../../core/ledger/attributed-lines.ts'
import { parseLineHashes } from '../../core/ledger/content-hash.ts'
import type { CommitRecord, NotedFile } from '../../core/ledger/commit-record.ts'
import type { RecordDraft, TracedChange, TracedRange, TraceRecord } from '../../core/ledger/record.ts'
import { removedRanges, tracedFile, tracedRanges, wholeHunk } from '../../core/ledger/traced-file.ts'
import { byteLines, isBinary, trimLine } from '../../core/base/lines.ts'
import { readFileState } from '../io/files/file-state.ts'
import { isOwnWrite } from '../io/worktree/own-writes.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { readWindows } from '../recording/agent-activity/windows.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'
import { type AuthorLookup, loadAuthors } from '../recording/observation/authors.ts'
import { looseCreatedAt } from '../recording/git-evidence/object-age.ts'
import { textHunks } from '../recording/observation/text-hunks.ts'
import type { RecorderContext } from '../recording/observation/recorder-context.ts'
import { commitAndParents } from '../../core/git/revisions.ts'
import { loadAttributionSources } from './attribution-sources.ts'
import { buildCommitRecords } from './commit-records.ts'
import { earlierTips } from './commit-queries.ts'

/** The commits that hooks reported, and the tool calls of which windows were seen since then. */
export type ReportedCommits = { readonly made: readonly string[]; readonly windows: readonly ToolWindow[] }

/**
 * Records the lines of new commits that no record, no note and no other branch explains: a command that wrote and
 * committed a file, and left the commit again, was too quick for the watcher. They count as written when git got their
 * text, by the one who could write then. Nothing is recorded where kotef knows nobody.
 */
export async function recordUnseenWrites(
  context: UnseenContext,
  { made, windows }: ReportedCommits,
): Promise<TraceRecord[]> {
  const { workspace } = context
  if (made.length === 0 || made.length > COMMITS_MAX || !(await isAnybodyHere(context, windows))) return []
  const commits = await workspace.git.ask(commitsOfIndex(made))
  const unclear = await unclearRecords(context, commits)
  if (unclear.size === 0) return []
  const authors = await loadAuthors(workspace, await context.policyAt(await context.head()), windows)
  const records: TraceRecord[] = []
  // What is recorded of a commit explains lines of the next one. The log has the newest first.
  for (const commit of commits.toReversed().filter(it => unclear.has(it))) {
    const record = (await unclearRecords(context, [commit])).get(commit)
    const drafts = record ? await unseenDrafts({ ...context, made }, record, authors) : []
    if (drafts.length === 0) continue
    const [, parent = null] = await workspace.git.ask(commitAndParents(commit))
    for (const it of await appendRecords(workspace, drafts, { head: parent })) records.push(it)
  }
  return records
}

export type UnseenContext = NeededContext & {
  /** Paths of which the watcher found a content when it started that nobody knows the author of. */
  readonly preexisting: ReadonlySet<string>
  /** Since when the watcher sees what happens, in milliseconds since the epoch. What git did before that is git's. */
  readonly watchedSince: number
}

type LookContext = UnseenContext & Pick<ReportedCommits, 'made'>

type NeededContext = Pick<RecorderContext, 'workspace' | 'hasher' | 'blobs' | 'head' | 'policyAt' | 'textBytesMax'>

// A script that makes more of them at once has an origin of another kind, such as an import.
const COMMITS_MAX = 50

async function isAnybodyHere({ workspace }: UnseenContext, windows: readonly ToolWindow[]): Promise<boolean> {
  return windows.length > 0 || (await readWindows(workspace)).length > 0 || (await liveSessions(workspace)).length > 0
}

async function unclearRecords(
  { workspace, hasher }: UnseenContext,
  commits: readonly string[],
): Promise<ReadonlyMap<string, CommitRecord>> {
  const built = await buildCommitRecords(workspace, commits, hasher)
  return new Map([...built].filter(([, record]) => isAnyAuthorUnknown([record])))
}

async function unseenDrafts(context: LookContext, record: CommitRecord, authors: AuthorLookup): Promise<RecordDraft[]> {
  const drafts: RecordDraft[] = []
  const isFollowed = await followedLookup(context, record)
  for (const file of record.files) {
    const at = isFollowed(file) ? null : await writtenAt(context, file)
    if (at === null || at < context.watchedSince || !isAnyAuthorUnknown([{ files: [file] }])) continue
    const { contributor, attribution, session, intent, doubt, handover } = await authors.authorAt(file.path, at)
    const change =
      contributor.type === 'unknown' ? null : await unseenChange(context, Date.parse(record.timestamp), file)
    if (!change) continue
    const about = { ...(doubt && { doubt }), ...(handover && { handover }) }
    const credit = { contributor, session, intent }
    drafts.push({
      event: { event: 'write', attribution, source: 'commit', ...about },
      files: [tracedFile(file.path, change.kotef, { ranges: change.ranges, credit })],
    })
  }
  return drafts
}

/** Whether the watcher has seen the text that a path has in a commit: then what is unknown of it stays unknown. */
async function followedLookup(
  { workspace, hasher }: UnseenContext,
  { files }: CommitRecord,
): Promise<(file: NotedFile) => boolean> {
  const blobs = files.flatMap(({ path, kotef }) => (kotef.after === null ? [] : [{ path, oid: kotef.after }]))
  const asked = { paths: new Set(files.map(it => it.path)), blobs }
  const { textAt } = await loadAttributionSources(workspace, asked, hasher)
  return ({ path, kotef }) => kotef.after !== null && textAt(path, kotef.after) !== undefined
}

/**
 * When a path got the text that it has in a commit: where that is on the disk still, by the file, else when git made
 * the blob. Null where it was there before, where kotef wrote it, and for a text that git has packed.
 */
async function writtenAt(
  { workspace, preexisting }: UnseenContext,
  { path, kotef }: NotedFile,
): Promise<number | null> {
  if (kotef.after === null || preexisting.has(path) || (await isOwnWrite(workspace, path, kotef.after))) return null
  const file = await readFileState(join(workspace.root, path))
  const isThere = file !== null && 'oid' in file && file.oid === kotef.after
  return isThere ? file.changedAt : looseCreatedAt(workspace, kotef.after)
}

type UnseenChange = { readonly kotef: TracedChange; readonly ranges: readonly TracedRange[] }

/** A file's change in a commit, or of a change that is known in part the unexplained lines; null without any. */
async function unseenChange(context: LookContext, committedAt: number, file: NotedFile): Promise<UnseenChange | null> {
  const { before, after, from, op } = file.kotef
  const bytes = after && (await context.blobs.read(after))
  if (!bytes || bytes.length > context.textBytesMax || isBinary(bytes)) return null
  const unknown = file.conversations.filter(it => it.contributor.type === 'unknown').flatMap(it => it.ranges)
  const { before: own, elsewhere } = await knownLines(context, committedAt, file)
  const isMoved = (hashes: readonly number[]) => hashes.every(it => own.has(it))
  const unexplained = unknown.filter(it => {
    const hashes = parseLineHashes(it.line_hashes)
    return !isMoved(hashes) && !hashes.some(hash => elsewhere.has(hash))
  })
  if (unexplained.length === 0) return null
  const about = { op, ...(from === undefined ? {} : { from }), before, after }
  const isWhole = file.conversations.every(it => it.contributor.type === 'unknown')
  const known = isWhole && unexplained.length === unknown.length ? await hunksOf(context, before, bytes) : null
  if (!known) return { kotef: { ...about, removed: [], opaque: 'unknown-before' }, ranges: unexplained }
  return {
    kotef: { ...about, removed: removedRanges(known) },
    ranges: tracedRanges(bytes, known, context.hasher),
  }
}

async function hunksOf({ workspace, blobs }: UnseenContext, before: string | null, after: Buffer) {
  if (before === null) return wholeHunk(null, after)
  const bytes = await blobs.read(before)
  return bytes && (await textHunks(workspace, [{ before: bytes, after }]))[0]
}

type KnownLines = { readonly before: ReadonlySet<number>; readonly elsewhere: ReadonlySet<number> }

/**
 * The lines of a file before a commit, and those that only older branches have: git may have brought these, as with
 * `git merge --squash` and `git checkout <branch> -- <file>`.
 */
async function knownLines(
  { workspace, blobs, hasher, made }: LookContext,
  committedAt: number,
  { path, kotef: { before } }: NotedFile,
): Promise<KnownLines> {
  const tips = (await workspace.git.tryAsk(earlierTips(committedAt, made))) ?? []
  const hashes = (bytes: Buffer | null) => (bytes ? byteLines(bytes).map(it => hasher.xxh32(trimLine(it))) : [])
  const texts = path.includes('\n') ? [] : await Promise.all(tips.map(it => blobs.read(`${it}:${path}`)))
  const own = new Set(before === null ? [] : hashes(await blobs.read(before)))
  return { before: own, elsewhere: new Set(texts.flatMap(hashes).filter(it => !own.has(it))) }
}
