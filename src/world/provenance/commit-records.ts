import { attributeLines, type LineAttribution } from '../../core/authorship/attribute-lines.ts'
import type { OwnedLine } from '../../core/authorship/owned-text.ts'
import type { CommitPatch, FilePatch } from '../../core/git/diff/patch.ts'
import type { Hasher } from '../io/files/hasher.ts'
import {
  type Authorship,
  type CommitFile,
  type CommitRecord,
  commitRecord,
  type NotedFile,
  notedFile,
} from '../../core/ledger/commit-record.ts'
import { VERSION } from '../io/files/package.ts'
import { readChainHead } from '../ledger/append-records.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { type CommitSummary, readCommitSummaries, readPatches } from './commit-queries.ts'
import { type AskedTexts, loadAttributionSources, type AttributionSources } from './attribution-sources.ts'
import { findNoteRecords } from '../ledger/notes.ts'

/**
 * Builds the record of each commit, oldest first, from git, the ledgers and the notes alone. A commit without changes
 * has none, nor has one at which a shallow clone ends: it seems to have added its whole tree. The number of git
 * processes does not depend on the number of commits.
 */
export async function buildCommitRecords(
  workspace: Workspace,
  asked: readonly string[],
  hasher: Hasher,
): Promise<Map<string, CommitRecord>> {
  const ends = await readShallowEnds(workspace)
  const commits = asked.filter(it => !ends.has(it))
  if (commits.length === 0) return new Map()
  const summaries = await readCommitSummaries(workspace.git, commits)
  const head = await readChainHead(workspace)
  const filesOf = new Map<string, NotedFile[]>()
  const ofOwnWrites = new Set<string>()
  for await (const patches of readPatches(workspace.git, commits, hasher.xxh32)) {
    const { owners, ofLedgers } = await attributePatches(workspace, patches, hasher)
    for (const it of ofLedgers) ofOwnWrites.add(it.commit)
    patches.forEach(({ commit, files }, n) => {
      const cited = citedIntent(summaries.get(commit))
      const noted = filesOf.get(commit) ?? []
      files.forEach((file, m) => noted.push(notedFile(commitFileOf(file, owners[n]?.[m] ?? [], cited), hasher)))
      if (noted.length > 0) filesOf.set(commit, noted)
    })
  }
  const records = new Map<string, CommitRecord>()
  for (const [commit, files] of filesOf) {
    const timestamp = summaries.get(commit)?.date
    // What is known from notes alone, each clone finds in the same way: with its own head, all records would differ.
    const own = { commit, timestamp: timestamp ?? '', version: VERSION, head: ofOwnWrites.has(commit) ? head : null }
    if (timestamp) records.set(commit, commitRecord(files, own))
  }
  return records
}

/** The authors of the added lines for each commit and file, and the commits of which the ledgers name one. */
type Attributed = { readonly owners: LineAttribution[][][]; readonly ofLedgers: readonly CommitPatch[] }

/** Finds the authors of the added lines. Notes are searched only if the ledger leaves a gap. */
async function attributePatches(
  workspace: Workspace,
  patches: readonly CommitPatch[],
  hasher: Hasher,
): Promise<Attributed> {
  const files = patches.flatMap(it => it.files)
  const asked = { paths: new Set(files.flatMap(patchPaths)), blobs: files.flatMap(patchBlobs) }
  const evidence = await loadAttributionSources(workspace, asked, hasher)
  const owners = attributeInOrder(patches, evidence)
  const ofLedgers = patches.filter((_, n) => owners[n]?.flat().some(it => it.owner !== null))
  const unclear = patches.filter((_, n) => owners[n]?.flat().some(it => it.owner === null))
  if (unclear.length === 0) return { owners, ofLedgers }
  const commits = new Set(patches.map(it => it.commit))
  const paths = [...new Set(unclear.flatMap(it => it.files).flatMap(patchPaths))]
  const notes = (await findNoteRecords(workspace, paths)).filter(it => !commits.has(it.vcs.revision))
  return { owners: attributeInOrder(patches, evidence.withNotes(notes)), ofLedgers }
}

function patchPaths({ path, from }: Pick<FilePatch, 'path' | 'from'>): string[] {
  return from === null ? [path] : [path, from]
}

function patchBlobs({ before, after, ...names }: FilePatch): AskedTexts['blobs'] {
  const oids = [before, after].filter(it => it !== null)
  return patchPaths({ ...names }).flatMap(path => oids.map(oid => ({ path, oid })))
}

// The result for one commit is a source for the commits after it.
function attributeInOrder(patches: readonly CommitPatch[], evidence: AttributionSources): LineAttribution[][][] {
  return patches.map(patch => {
    const owners = attributeLines(patch, evidence)
    patch.files.forEach((file, n) => {
      for (const document of attributedHunks(file, owners[n] ?? [])) evidence.addDocument(file.path, document)
    })
    return owners
  })
}

/** The text of each hunk after the commit, with the owners of the added lines. */
function attributedHunks({ hunks }: FilePatch, attributed: readonly LineAttribution[]): OwnedLine[][] {
  if (!attributed.some(it => it.owner)) return []
  const owners = new Map(attributed.map(it => [it.at, it.owner]))
  const after = hunks.map(hunk => hunk.filter(it => it.side !== 'removed'))
  return after.map(hunk =>
    hunk.map(({ hash, side, at }) => ({ hash, owner: side === 'added' ? (owners.get(at) ?? null) : null })),
  )
}

// A line without a known intent gets the intent of the commit, if that cites exactly one.
function citedIntent({ cited }: Pick<CommitSummary, 'cited'> = { cited: [] }): string | null {
  return cited.length === 1 ? (cited[0] ?? null) : null
}

function commitFileOf(file: FilePatch, attributed: readonly LineAttribution[], cited: string | null): CommitFile {
  const owners = new Map(attributed.map(it => [it.at, it.owner]))
  const added = file.hunks.flat().filter(it => it.side === 'added')
  const lines = added.map(({ at, bytes }) => {
    const { contributor, session, intent, attribution, doubt }: Authorship = owners.get(at) ?? UNKNOWN_OWNER
    return { at, bytes, contributor, session, intent: intent ?? cited, attribution, ...(doubt && { doubt }) }
  })
  return { path: file.path, from: file.from, before: file.before, after: file.after, lines }
}

const UNKNOWN_OWNER = { contributor: { type: 'unknown' }, session: null, intent: null, attribution: 'unknown' } as const
