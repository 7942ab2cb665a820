import { sha256Hex } from '../base/sha256.ts'
import type { Attribution, Doubt } from './event.ts'
import type { ChainHead } from './chain.ts'
import type { ChangeClass } from './mutation-class.ts'
import { contentHash, lineHashes, type RangeHasher } from './content-hash.ts'
import type { Conversation, TracedChange, TracedFile, TracedRange, TraceRecord } from './record.ts'
import { sessionUrl } from './session-url.ts'
import type { Credit } from './traced-file.ts'

/** The author of a line, how the author is known, and who else it may be. */
export type Authorship = Credit & Certainty

type Certainty = { readonly attribution: Attribution; readonly doubt?: Doubt }

/** A line that a commit added: its number (1-based), its text, and its author. */
export type CommitLine = { readonly at: number; readonly bytes: Uint8Array } & Authorship

export type CommitFile = Pick<TracedChange, 'before' | 'after'> & {
  readonly path: string
  readonly from: string | null
  readonly lines: readonly CommitLine[]
}

/** The record of a commit in its note, with line numbers and hashes of that commit. */
export type CommitRecord = Omit<TraceRecord, 'files' | 'metadata' | 'vcs'> & {
  readonly vcs: { readonly type: 'git'; readonly revision: string }
  readonly files: readonly NotedFile[]
  readonly metadata: {
    readonly 'dev.kotef': {
      readonly event: 'commit'
      readonly phase: 'committed'
      readonly source: 'commit'
      /** The head of the ledger's chain at that time, which shows if the end of the ledger is removed later. */
      readonly head: ChainHead | null
      readonly hash: string
    }
  }
}

/** A file of a commit, with the authors of its added lines. */
export type NotedFile = Omit<TracedFile, 'conversations'> & { readonly conversations: readonly NotedConversation[] }
export type NotedConversation = Conversation & { readonly kotef: Certainty }

/** Makes the record of a commit. The same facts give the same record in every clone. */
export function commitRecord(
  files: readonly NotedFile[],
  { commit, timestamp, version, head }: { commit: string; timestamp: string; version: string; head: ChainHead | null },
): CommitRecord {
  const own = { event: 'commit', phase: 'committed', source: 'commit', head } as const
  return sealed({ version: '0.1.0', timestamp, commit, tool: { name: 'kotef', version }, files }, own)
}

type SealedFacts = Pick<CommitRecord, 'version' | 'timestamp' | 'tool' | 'files'> & { readonly commit: string }
type OwnData = Omit<CommitRecord['metadata']['dev.kotef'], 'hash'>

function sealed({ version, timestamp, commit, tool, files }: SealedFacts, own: OwnData): CommitRecord {
  const id = uuidOf(`${commit} ${JSON.stringify(files)}`)
  const facts = { version, id, timestamp, vcs: { type: 'git' as const, revision: commit }, tool, files }
  const hash = sha256Hex(JSON.stringify({ ...facts, metadata: { 'dev.kotef': own } }))
  return { ...facts, metadata: { 'dev.kotef': { ...own, hash } } }
}

/** The record of a commit for the commit that was made of it again, when an intent got another id. */
export function renumberedRecord(
  record: CommitRecord,
  { commit, from, to }: { readonly commit: string; readonly from: string; readonly to: string },
): CommitRecord {
  const { hash: _, ...own } = record.metadata['dev.kotef']
  const related = (it: NotedConversation) =>
    it.related.map(each => (each.value === from ? { ...each, url: `intent:${to}`, value: to } : each))
  const files = record.files.map(file => ({
    ...file,
    conversations: file.conversations.map(it => ({ ...it, related: related(it) })),
  }))
  return sealed({ ...record, commit, files }, own)
}

/** A record with the class of each file of which one is known. */
export function withClasses(record: CommitRecord, classes: ReadonlyMap<string, ChangeClass>): CommitRecord {
  const { hash: _, ...own } = record.metadata['dev.kotef']
  const files = record.files.map(it => ({ ...it, kotef: { ...it.kotef, ...classes.get(it.path) } }))
  return sealed({ ...record, commit: record.vcs.revision, files }, own)
}

/**
 * A record that adds classes to those of a commit, and nothing else: no author, no line, and no head, so that every
 * clone adds the same one.
 */
export function classRecord(
  [record, ...more]: readonly [CommitRecord, ...CommitRecord[]],
  classes: ReadonlyMap<string, ChangeClass>,
): CommitRecord {
  const files = new Map([record, ...more].flatMap(it => it.files.map(file => [file.path, file])))
  const classified = [...classes.keys()].sort().flatMap(it => files.get(it) ?? [])
  const { hash: _, ...own } = record.metadata['dev.kotef']
  const bare = { ...record, files: classified.map(it => ({ ...it, conversations: [] })) }
  return withClasses({ ...bare, metadata: { 'dev.kotef': { ...own, head: null, hash: '' } } }, classes)
}

/** Makes that of the lines of a file: one conversation for the lines of each author. */
export function notedFile({ path, from, before, after, lines }: CommitFile, hasher: RangeHasher): NotedFile {
  const op = from !== null ? 'rename' : before === null ? 'create' : after === null ? 'delete' : 'modify'
  const groups = new Map<string, [CommitLine, ...CommitLine[]]>()
  for (const line of lines) {
    const { contributor, session, intent, attribution, doubt } = line
    const key = JSON.stringify([contributor, session, intent, attribution, doubt])
    const group = groups.get(key)
    if (group) group.push(line)
    else groups.set(key, [line])
  }
  return {
    path,
    relative_path: path,
    conversations: [...groups.values()].map(it => conversationOf(it, hasher)),
    kotef: { op, ...(from === null ? {} : { from }), before, after, removed: [] },
  }
}

function conversationOf(lines: readonly [CommitLine, ...CommitLine[]], hasher: RangeHasher): NotedConversation {
  const [{ session, intent, contributor, attribution, doubt }] = lines
  return {
    ...(session === null ? {} : { url: sessionUrl(session) }),
    contributor,
    ranges: lineRanges(lines, hasher),
    related: intent === null ? [] : [{ type: 'intent', url: `intent:${intent}`, value: intent }],
    kotef: { attribution, ...(doubt && { doubt }) },
  }
}

function lineRanges(lines: readonly CommitLine[], hasher: RangeHasher): TracedRange[] {
  const runs: CommitLine[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run && run.at(-1)?.at === line.at - 1) run.push(line)
    else runs.push([line])
  }
  return runs.map(run => {
    const texts = run.map(it => it.bytes)
    const start_line = run[0]?.at ?? 1
    const end_line = run.at(-1)?.at ?? 1
    return { start_line, end_line, content_hash: contentHash(hasher, texts), line_hashes: lineHashes(hasher, texts) }
  })
}

/** True when the hash and the id of a record match its content. */
export function isIntactNote({ metadata, ...facts }: CommitRecord): boolean {
  const { hash, ...own } = metadata['dev.kotef']
  if (facts.id !== uuidOf(`${facts.vcs.revision} ${JSON.stringify(facts.files)}`)) return false
  return sha256Hex(JSON.stringify({ ...facts, metadata: { 'dev.kotef': own } })) === hash
}

/** A name-based UUID (RFC 9562, version 8: of sha256). */
function uuidOf(text: string): string {
  const hex = sha256Hex(text)
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
