import { join } from 'node:path'
import * as z from 'zod'
import type { Content } from '../attribution/judge-write.ts'
import { Index, LIST_INDEX } from '../diff/index-entries.ts'
import type { StatusEntry } from '../diff/status.ts'
import { signatureAt } from '../io/worktree.ts'
import { headOid } from '../diff/head-oid.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { type Period, periodOf } from './period.ts'

/**
 * What kotef knows of a worktree without holding its content: the index stands for every unchanged tracked file; only
 * what differs from it, or was seen to, has an entry of its own.
 */
export type Memory = {
  index: Index
  /** The stat of the index file just before it was read; null when there was none, or it was not read yet. */
  indexSignature: string | null
  /** A commit that HEAD named no later than the index was read; null when none is known. */
  head: string | null
  readonly known: Map<string, Known>
  /** What the index had (null: nothing) at paths that were not as in HEAD when they were last looked at. */
  readonly staged: Map<string, string | null>
  /** The stashes that there were when somebody last looked; null when nobody ever did. */
  stashes: readonly string[] | null
  /** Paths that can't be looked at, with the stat they had when that was told. */
  readonly unreadable: Map<string, string | null>
  /** Bytes of the ledger that are already folded into `known`. */
  ledgerBytes: number
  /** When it was taken up, in milliseconds since 1970: from then on, somebody watches. */
  begunAt: number
  /** Counts what was learnt: equal numbers mean that nothing was. */
  revision: number
  period: Period
}

/** What is known of one path. */
export type Known = {
  readonly content: Content
  /** The stat that the file had then; null when it was not seen on disk. */
  readonly signature: string | null
  /** The ledger says how the content came about. */
  readonly traced: boolean
  /** When it was seen, in milliseconds since 1970; 0 when nobody knows. */
  readonly at: number
  /** The index had the path before it was last rewritten. */
  readonly indexed?: boolean | undefined
  /** How git saw it: what nobody but git changes, and a `.gitignore`. */
  readonly git?: StatusEntry['kind'] | undefined
}

/** What a path held when kotef last looked. */
export function contentOf(memory: Memory, path: string): Content {
  const known = memory.known.get(path)
  return known ? known.content : (memory.index.get(path) ?? null)
}

/** Keeps a path's content in mind; what the index says anyway needs no entry. */
export function remember(memory: Memory, path: string, known: Known): void {
  const entry = memory.index.get(path) ?? null
  const { content } = known
  memory.revision++
  keepInPeriod(memory, path)
  if (content?.oid === entry?.oid && content?.mode === entry?.mode) memory.known.delete(path)
  else memory.known.set(path, known)
}

// Git may soon have what stood here until now, and bring it back. What only the index said is in git for longer.
function keepInPeriod({ known, period }: Memory, path: string): void {
  const last = known.get(path)
  if (last?.indexed === undefined && last) period.keep(path, last.content?.oid ?? null)
}

/** Keeps in mind what is staged at a path, for a daemon that comes later. */
export function keepStaged({ index, staged }: Memory, path: string): void {
  if (staged.size < STAGED_MAX || staged.has(path)) staged.set(path, index.get(path)?.oid ?? null)
}

const STAGED_MAX = 50_000

/** True when the index is another one than was read. */
export async function isIndexNew(workspace: Workspace, { indexSignature }: Memory): Promise<boolean> {
  return (await indexSignatureOf(workspace)) !== indexSignature
}

/** Reads an index that moved; answers the paths it changed, which keep their earlier content until somebody looks. */
export async function refreshIndex(workspace: Workspace, memory: Memory): Promise<string[]> {
  const { index: before } = memory
  if (!(await isIndexNew(workspace, memory))) return []
  const { index: now, ...signature } = await indexOf(workspace)
  const changed = now.changedSince(before)
  for (const path of changed) {
    keepInPeriod(memory, path)
    const fromIndex = { content: before.get(path) ?? null, signature: null, traced: true, at: 0 }
    memory.known.set(path, { ...(memory.known.get(path) ?? fromIndex), indexed: before.has(path) })
    // What was committed since may be taken out of the index again while nobody watches.
    if (memory.staged.has(path)) memory.staged.set(path, now.get(path)?.oid ?? null)
  }
  Object.assign(memory, { index: now, ...signature })
  return changed
}

/** What git ignores may be something else now: how it sees each path has to be asked anew. */
export function forgetHowGitSees({ known }: Memory): void {
  for (const [path, it] of known) known.set(path, { ...it, git: undefined })
}

/** The oids of all that is known and stands in no index: what the next diff may need. */
export function oidsIn({ known }: Memory): Set<string> {
  return new Set([...known.values()].flatMap(it => (it.content ? [it.content.oid] : [])))
}

/** Paths whose present content no record tells of. */
export function untracedIn({ known }: Memory): string[] {
  return [...known].filter(([, it]) => !it.traced).map(([path]) => path)
}

/** What the last daemon left behind, or null at the first start ever. */
export async function loadMemory(
  workspace: Workspace,
): Promise<{ memory: Memory; savedAt: string; head: string | null } | null> {
  const bytes = await workspace.files.read(cursorPath(workspace))
  const cursor = bytes && shape.safeParse(parsed(bytes.toString('utf8'))).data
  if (!cursor) return null
  const known = new Map(Object.entries(cursor.known).map(([path, it]) => [path, { ...it, at: 0 }]))
  const { savedAt, ledgerBytes, head = null, stashes = null } = cursor
  const staged = new Map(Object.entries(cursor.staged ?? {}))
  const period = periodOf(
    cursor.period ?? { since: Date.parse(savedAt), log: await logSize(workspace), told: [], missed: [] },
  )
  return {
    memory: { ...(await freshMemory(workspace)), head, known, staged, stashes, ledgerBytes, period },
    savedAt,
    head,
  }
}

/** A memory that knows the index and nothing else. */
export async function freshMemory(workspace: Workspace): Promise<Memory> {
  const period = periodOf({ since: workspace.clock.now(), log: await logSize(workspace), told: [], missed: [] })
  const head = await workspace.git.tryAsk(headOid)
  return { ...emptyMemory(), head, ...(await indexOf(workspace)), ledgerBytes: await ledgerSize(workspace), period }
}

/** A memory that knows nothing yet. */
export function emptyMemory(): Memory {
  const index = new Index(Buffer.alloc(0))
  const period = periodOf({ since: 0, log: 0, told: [], missed: [] })
  const nothing = {
    known: new Map(),
    staged: new Map(),
    stashes: null,
    unreadable: new Map(),
    begunAt: 0,
    ledgerBytes: 0,
    revision: 0,
  }
  return { index, indexSignature: null, head: null, period, ...nothing }
}

/** What is known, as it is written down, with how much of the ledger it holds. Nothing may be recorded meanwhile. */
export async function cursorOf(workspace: Workspace, memory: Memory): Promise<string> {
  memory.ledgerBytes = await ledgerSize(workspace)
  const known = Object.fromEntries([...memory.known].map(([path, it]) => [path, kept(it)]))
  const savedAt = new Date(workspace.clock.now()).toISOString()
  const { ledgerBytes, head, period, stashes } = memory
  const staged = Object.fromEntries(memory.staged)
  return JSON.stringify({ version: 1, savedAt, ledgerBytes, head, period: period.written(), staged, stashes, known })
}

/** Writes down what is known. */
export async function saveCursor(workspace: Workspace, cursor: string): Promise<void> {
  await workspace.files.replace(cursorPath(workspace), cursor, 0o600)
}

function kept({ content, signature, traced, indexed }: Known) {
  return { content, signature, traced, indexed }
}

async function indexOf(workspace: Workspace): Promise<Pick<Memory, 'index' | 'indexSignature'>> {
  // Of an index that moves meanwhile, the signature is too old, and it is read once more.
  const indexSignature = await indexSignatureOf(workspace)
  return { index: new Index(await workspace.git.bytes(LIST_INDEX)), indexSignature }
}

function indexSignatureOf({ gitDir }: Workspace): Promise<string | null> {
  return signatureAt(join(gitDir, 'index'))
}

/** How long HEAD's log is; 0 without one. */
export async function logSize({ files, gitDir }: Workspace): Promise<number> {
  return (await files.readEnd(join(gitDir, 'logs/HEAD'), 0))?.size ?? 0
}

async function ledgerSize({ files, ...places }: Workspace): Promise<number> {
  return (await files.readEnd(placesOf(places).ledger, 0))?.size ?? 0
}

const looked = z.object({ at: z.number(), log: z.number() })

const shape = z.object({
  version: z.literal(1),
  savedAt: z.string(),
  ledgerBytes: z.int(),
  head: z.string().nullable().optional(),
  staged: z.record(z.string(), z.string().nullable()).optional(),
  stashes: z.array(z.string()).nullable().optional(),
  period: z
    .object({
      since: z.number(),
      log: z.number(),
      told: z.array(z.string()),
      missed: z.array(z.string()),
      all: looked.optional(),
      looks: z.record(z.string(), looked).optional(),
    })
    .optional(),
  known: z.record(
    z.string(),
    z.object({
      content: z.object({ oid: z.string(), mode: z.string() }).nullable(),
      signature: z.string().nullable(),
      traced: z.boolean(),
      indexed: z.boolean().optional(),
    }),
  ),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function cursorPath(workspace: Workspace): string {
  return join(placesOf(workspace).own, 'cursor.json')
}
