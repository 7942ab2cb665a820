import type { Evidence } from '../attribution/evidence.ts'
import type { Document, Owner } from '../attribution/document.ts'
import { type Matcher, matcherOf } from '../attribution/match.ts'
import { trailsOf } from '../attribution/trail.ts'
import { weakTexts } from '../attribution/weak.ts'
import { blobOid } from '../diff/blob.ts'
import { linesOf, trimmed } from '../diff/lines.ts'
import { worktrees } from '../diff/worktrees.ts'
import { type Blobs, blobsOf } from '../io/blobs.ts'
import type { Hasher } from '../io/hash.ts'
import { type Claim, claimsOf, creditOf } from '../ledger/claims.ts'
import type { CommittedRecord } from '../ledger/committed.ts'
import { hashesIn } from '../ledger/content-hash.ts'
import { rangesOn } from '../ledger/note.ts'
import type { TracedFile, TraceRecord } from '../ledger/record.ts'
import { sessionIn } from '../ledger/session-url.ts'
import { askLedger } from '../workspace/ask-ledger.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'

/** Evidence that can be added to. */
export type Gathered = Evidence & {
  /** The same, with what notes say; what was found is forgotten. */
  readonly with: (notes: readonly CommittedRecord[]) => Gathered
  /** A text whose lines' owners have been found. */
  readonly found: (path: string, document: Document) => void
}

/** Everything that the ledgers of a clone say of some paths. */
export async function evidenceOf(workspace: Workspace, paths: ReadonlySet<string>, hasher: Hasher): Promise<Gathered> {
  const told = await toldOf(workspace, paths)
  const records = told.filter(it => it.files.length > 0)
  const ownerOf = ownersBy(claimsOf(told))
  const weak = new Set(weakTexts().map(it => hasher.xxh32(Buffer.from(it))))
  const bases = await basesAt(workspace, records, hasher)
  const trails = trailsOf(records, { bases, ownerOf, isWeak: hash => weak.has(hash) })
  const state: Evidence['state'] = (path, oid) => trails.get(path)?.states.get(oid)
  const written = remembering(path => matcherOf(trails.get(path)?.fragments ?? []))
  const gathered = (notes: readonly CommittedRecord[]): Gathered => {
    const noted = remembering(path => matcherOf(documentsOf(notes, path)))
    return { state, written, noted, with: gathered, found: (path, document) => noted(path).add(document) }
  }
  return gathered([])
}

function remembering(make: (path: string) => Matcher): (path: string) => Matcher {
  const known = new Map<string, Matcher>()
  return path => {
    const matcher = known.get(path) ?? make(path)
    known.set(path, matcher)
    return matcher
  }
}

/** What the ledgers of all worktrees tell of some paths, and of the paths that these were at before. */
async function toldOf(workspace: Workspace, paths: ReadonlySet<string>): Promise<TraceRecord[]> {
  const all: TraceRecord[] = []
  for (const worktree of await worktreesOf(workspace)) for (const each of await toldIn(worktree, paths)) all.push(each)
  return all
}

async function toldIn(worktree: Workspace, paths: ReadonlySet<string>): Promise<readonly TraceRecord[]> {
  const files = new Set(paths)
  for (;;) {
    const { records } = await askLedger(worktree, { wanted: { files }, limit: null })
    const origins = records.flatMap(it => it.files).flatMap(it => (it.kotef.from === undefined ? [] : [it.kotef.from]))
    const before = files.size
    for (const it of origins) files.add(it)
    if (files.size === before) return records
  }
}

/** The worktrees of a clone, this one first; what is damaged is passed over. */
async function worktreesOf(workspace: Workspace): Promise<Workspace[]> {
  if ((await workspace.files.list(`${workspace.commonDir}/worktrees`)).length === 0) return [workspace]
  const listed = (await workspace.git.ask(worktrees)).filter(it => !it.isBare && it.prunable === null)
  const opened = await Promise.all(listed.map(it => openWorkspace(it.path).catch(() => null)))
  return [workspace, ...opened.filter(it => it !== null).filter(it => it.root !== workspace.root)]
}

function ownersBy(claims: ReadonlyMap<string, Claim>): (record: TraceRecord, file: TracedFile) => Owner {
  return ({ id, metadata }, { conversations }) => {
    const own = metadata['dev.kotef']
    const claim = claims.get(id)
    if (claim) return { record: id, ...creditOf(claim), attribution: 'claimed' }
    const [conversation] = conversations
    return {
      record: id,
      contributor: conversation?.contributor ?? { type: 'unknown' },
      session: sessionIn(conversation?.url),
      intent: conversation?.related.find(it => it.type === 'intent')?.value ?? null,
      attribution: own.event === 'write' ? own.attribution : 'unknown',
    }
  }
}

/**
 * The line hashes of the blobs that trails begin with, as far as git has them: what stood there before a write, and no
 * write that could be followed had brought there. Where one begins with what git never had, it begins with the next.
 */
async function basesAt(workspace: Workspace, records: readonly TraceRecord[], hasher: Hasher) {
  await using blobs = blobsOf(workspace.root, { atHand: true })
  const hashes = (bytes: Buffer) => linesOf(bytes).map(it => hasher.xxh32(trimmed(it)))
  const bases = new Map<string, readonly number[]>()
  const followed = new Set<string>()
  const isKnown = ({ path, kotef: { before, from = path } }: TracedFile): boolean =>
    before === null || bases.has(before) || followed.has(`${before} ${from}`)
  for (const { vcs, files } of records) {
    for (const file of files) {
      const { before, after, from = file.path } = file.kotef
      if (before !== null && !isKnown(file)) {
        const name = `${vcs?.revision ?? 'HEAD'}:${from}`
        const bytes = (await blobs.read(before)) ?? (await checkedOut(blobs, { oid: before, name }))
        if (bytes) bases.set(before, hashes(bytes))
      }
      if (after !== null && isKnown(file)) followed.add(`${after} ${file.path}`)
    }
  }
  return bases
}

/** A text that stood on disk with other line endings than git's blob has. */
async function checkedOut(blobs: Blobs, { oid, name }: { oid: string; name: string }): Promise<Buffer | null> {
  const blob = name.includes('\n') ? null : await blobs.read(name)
  if (!blob) return null
  const text = blob.toString('latin1')
  const asCrlf = Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1')
  return blobOid(asCrlf) === oid ? asCrlf : null
}

/** What notes say of a path: ranges, of which those that adjoin are one document. */
function documentsOf(notes: readonly CommittedRecord[], path: string): Document[] {
  return notes.flatMap(note => {
    const documents: { lines: Document[number][]; next: number }[] = []
    const ranges = rangesOn([note], path).sort((one, other) => one.range.start_line - other.range.start_line)
    for (const { range, author } of ranges) {
      const owner = author.contributor.type === 'unknown' ? null : { ...author, record: note.id }
      const lines = hashesIn(range.line_hashes).map(hash => ({ hash, owner }))
      const last = documents.at(-1)
      if (last?.next === range.start_line) for (const each of lines) last.lines.push(each)
      else documents.push({ lines, next: 0 })
      Object.assign(documents.at(-1) ?? {}, { next: range.end_line + 1 })
    }
    return documents.map(it => it.lines)
  })
}
