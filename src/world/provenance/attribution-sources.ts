import type { OwnerSources } from '../../core/authorship/owner-sources.ts'
import type { OwnedText, Owner } from '../../core/authorship/owned-text.ts'
import { type LineMatcher, lineMatcher } from '../../core/authorship/line-matcher.ts'
import { pathHistories } from '../../core/authorship/path-history.ts'
import { weakLines } from '../../core/authorship/weak-lines.ts'
import { blobOid } from '../../core/git/blob-oid.ts'
import { byteLines, trimLine } from '../../core/base/lines.ts'
import { worktreeList } from '../../core/git/worktrees.ts'
import { type Blobs, openBlobs } from '../io/git/blobs.ts'
import type { Hasher } from '../io/files/hasher.ts'
import { type AuthorshipClaim, authorshipClaims, creditOfClaim } from '../../core/ledger/authorship-claims.ts'
import type { CommitRecord } from '../../core/ledger/commit-record.ts'
import { parseLineHashes } from '../../core/ledger/content-hash.ts'
import { notedRanges } from '../../core/ledger/note.ts'
import type { TracedFile, TraceRecord } from '../../core/ledger/record.ts'
import { parseSessionUrl } from '../../core/ledger/session-url.ts'
import { queryLedger } from '../ledger/query-ledger.ts'
import { openWorkspace, type Workspace } from '../io/worktree/workspace.ts'

/** The sources of line attribution, to which more can be added. */
export type AttributionSources = OwnerSources & {
  /** The same sources with the ranges of notes, and without the added documents. */
  readonly withNotes: (notes: readonly CommitRecord[]) => AttributionSources
  /** Adds a text whose lines' owners were found. */
  readonly addDocument: (path: string, document: OwnedText) => void
}

/** Paths, and the blobs that git has for them. */
export type AskedTexts = {
  readonly paths: ReadonlySet<string>
  readonly blobs: readonly { readonly path: string; readonly oid: string }[]
}

/** Loads the sources for some paths from all ledgers of a clone. */
export async function loadAttributionSources(
  workspace: Workspace,
  { paths, blobs }: AskedTexts,
  hasher: Hasher,
): Promise<AttributionSources> {
  const relevant = await recordsOfPaths(workspace, paths)
  const records = relevant.filter(it => it.files.length > 0)
  const ownerOf = ownerLookup(authorshipClaims(relevant))
  const weak = new Set(weakLines().map(it => hasher.xxh32(Buffer.from(it))))
  const bases = await baseLineHashes(workspace, records, hasher)
  const trails = pathHistories(records, { bases, ownerOf, isWeak: hash => weak.has(hash) })
  const isOther = (path: string, oid: string) => trails.get(path)?.texts.has(oid) === false
  const onDisk = await crlfForms(
    workspace,
    blobs.filter(it => isOther(it.path, it.oid)).map(it => it.oid),
  )
  const state: OwnerSources['textAt'] = (path, oid) => {
    const texts = trails.get(path)?.texts
    return texts?.get(oid) ?? texts?.get(onDisk.get(oid) ?? '')
  }
  const written = memoizedByPath(path => lineMatcher(trails.get(path)?.fragments ?? []))
  const sourcesWith = (notes: readonly CommitRecord[]): AttributionSources => {
    const notesByPath = recordsByPath(notes)
    const noted = memoizedByPath(path => lineMatcher(documentsInNotes(notesByPath.get(path) ?? [], path)))
    return {
      textAt: state,
      writesTo: written,
      notesOn: noted,
      withNotes: sourcesWith,
      addDocument: (path, document) => noted(path).add(document),
    }
  }
  return sourcesWith([])
}

function memoizedByPath(make: (path: string) => LineMatcher): (path: string) => LineMatcher {
  const known = new Map<string, LineMatcher>()
  return path => {
    const matcher = known.get(path) ?? make(path)
    known.set(path, matcher)
    return matcher
  }
}

/** The records of some paths, and of their former paths, in the ledgers of all worktrees. */
async function recordsOfPaths(workspace: Workspace, paths: ReadonlySet<string>): Promise<TraceRecord[]> {
  const all: TraceRecord[] = []
  for (const worktree of await openCloneWorktrees(workspace))
    for (const each of await recordsInWorktree(worktree, paths)) all.push(each)
  return all
}

async function recordsInWorktree(worktree: Workspace, paths: ReadonlySet<string>): Promise<readonly TraceRecord[]> {
  const files = new Set(paths)
  for (;;) {
    const { records } = await queryLedger(worktree, { wanted: { files }, limit: null })
    const origins = records
      .flatMap(it => it.files)
      .flatMap(({ kotef: { from, origins: others = [] } }) => [...(from === undefined ? [] : [from]), ...others])
    const before = files.size
    for (const it of origins) files.add(it)
    if (files.size === before) return records
  }
}

/** The worktrees of a clone, this one first; damaged ones are skipped. */
async function openCloneWorktrees(workspace: Workspace): Promise<Workspace[]> {
  if ((await workspace.files.list(`${workspace.commonDir}/worktrees`)).length === 0) return [workspace]
  const listed = (await workspace.git.ask(worktreeList)).filter(it => !it.isBare && it.prunable === null)
  const opened = await Promise.all(listed.map(it => openWorkspace(it.path).catch(() => null)))
  return [workspace, ...opened.filter(it => it !== null).filter(it => it.root !== workspace.root)]
}

function ownerLookup(claims: ReadonlyMap<string, AuthorshipClaim>): (record: TraceRecord, file: TracedFile) => Owner {
  return ({ id, metadata }, { conversations }) => {
    const own = metadata['dev.kotef']
    const claim = claims.get(id)
    if (claim) return { record: id, ...creditOfClaim(claim), attribution: claim.by === 'agent' ? 'claimed' : 'person' }
    const [conversation] = conversations
    return {
      record: id,
      contributor: conversation?.contributor ?? { type: 'unknown' },
      session: parseSessionUrl(conversation?.url),
      intent: conversation?.related.find(it => it.type === 'intent')?.value ?? null,
      ...(own.event === 'write' ? certaintyOf(own) : { attribution: 'unknown' }),
    }
  }
}

function certaintyOf({ attribution, doubt }: Pick<Owner, 'attribution' | 'doubt'>) {
  return { attribution, ...(doubt && { doubt }) }
}

/**
 * The line hashes of the blobs with which the histories of paths begin, if git has them: the content before a write
 * that no earlier, followed write left there. A history whose first blob git never had begins with the next one.
 */
async function baseLineHashes(workspace: Workspace, records: readonly TraceRecord[], hasher: Hasher) {
  await using blobs = openBlobs(workspace.root, { localOnly: true })
  const hashes = (bytes: Buffer) => byteLines(bytes).map(it => hasher.xxh32(trimLine(it)))
  const bases = new Map<string, readonly number[]>()
  const followed = new Set<string>()
  const isKnown = ({ path, kotef: { before, from = path } }: TracedFile): boolean =>
    before === null || bases.has(before) || followed.has(`${before} ${from}`)
  for (const { vcs, files } of records) {
    for (const file of files) {
      const { before, after, from = file.path } = file.kotef
      if (before !== null && !isKnown(file)) {
        const name = `${vcs?.revision ?? 'HEAD'}:${from}`
        const bytes = (await blobs.read(before)) ?? (await withCrlfEndings(blobs, { oid: before, name }))
        if (bytes) bases.set(before, hashes(bytes))
      }
      if (after !== null && isKnown(file)) followed.add(`${after} ${file.path}`)
    }
  }
  return bases
}

/** The oids of some blobs with CRLF line ends: of such a file on disk git may have the LF form. */
async function crlfForms({ root }: Workspace, oids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  await using blobs = openBlobs(root, { localOnly: true })
  const forms = new Map<string, string>()
  for (const oid of new Set(oids)) {
    const blob = await blobs.read(oid)
    if (blob) forms.set(oid, blobOid(asCrlf(blob)))
  }
  return forms
}

function asCrlf(blob: Buffer): Buffer {
  return Buffer.from(blob.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

/** The text with CRLF line ends, if that is the content on disk of which git has the LF form. */
async function withCrlfEndings(blobs: Blobs, { oid, name }: { oid: string; name: string }): Promise<Buffer | null> {
  const blob = name.includes('\n') ? null : await blobs.read(name)
  const text = blob && asCrlf(blob)
  return text && blobOid(text) === oid ? text : null
}

// A clone may have a note for each of tens of thousands of commits, and ask for thousands of paths.
function recordsByPath(notes: readonly CommitRecord[]): ReadonlyMap<string, readonly CommitRecord[]> {
  const byPath = new Map<string, CommitRecord[]>()
  for (const note of notes)
    for (const path of new Set(note.files.map(it => it.path))) {
      const known = byPath.get(path)
      if (known) known.push(note)
      else byPath.set(path, [note])
    }
  return byPath
}

/** The ranges of a path in notes; adjoining ranges are one document. */
function documentsInNotes(notes: readonly CommitRecord[], path: string): OwnedText[] {
  return notes.flatMap(note => {
    const documents: { lines: OwnedText[number][]; next: number }[] = []
    const ranges = notedRanges([note], path).sort((one, other) => one.range.start_line - other.range.start_line)
    for (const { range, author } of ranges) {
      const owner = author.contributor.type === 'unknown' ? null : { ...author, record: note.id }
      const lines = parseLineHashes(range.line_hashes).map(hash => ({ hash, owner }))
      const last = documents.at(-1)
      if (last?.next === range.start_line) for (const each of lines) last.lines.push(each)
      else documents.push({ lines, next: 0 })
      Object.assign(documents.at(-1) ?? {}, { next: range.end_line + 1 })
    }
    return documents.map(it => it.lines)
  })
}
