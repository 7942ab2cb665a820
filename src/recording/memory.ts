import { join } from 'node:path'
import { z } from 'zod'
import type { Content } from '../attribution/judge-write.ts'
import { type IndexEntry, indexEntries } from '../diff/index-entries.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/**
 * What kotef knows of a worktree without holding its content: the index stands for every unchanged tracked file; only
 * what differs from it, or was seen to, has an entry of its own.
 */
export type Memory = {
  index: ReadonlyMap<string, IndexEntry>
  readonly known: Map<string, Known>
  /** Bytes of the ledger that are already folded into `known`. */
  ledgerBytes: number
  /** Counts what was learnt: equal numbers mean that nothing was. */
  revision: number
}

/**
 * A path's last known content, the stat it had then (null: not seen on disk by this process), and whether the ledger
 * says how it came about.
 */
export type Known = { readonly content: Content; readonly signature: string | null; readonly traced: boolean }

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
  if (content?.oid === entry?.oid && content?.mode === entry?.mode) memory.known.delete(path)
  else memory.known.set(path, known)
}

/** Reads the index anew; returns the paths it changed, which keep their earlier content until somebody has looked. */
export async function refreshIndex(workspace: Workspace, memory: Memory): Promise<string[]> {
  const before = memory.index
  const now = await workspace.git.ask(indexEntries)
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    path => before.get(path)?.oid !== now.get(path)?.oid || before.get(path)?.mode !== now.get(path)?.mode,
  )
  for (const path of changed) {
    if (!memory.known.has(path))
      memory.known.set(path, { content: before.get(path) ?? null, signature: null, traced: true })
  }
  memory.index = now
  return changed
}

/** Paths whose present content no record tells of. */
export function untracedIn({ known }: Memory): string[] {
  return [...known].filter(([, it]) => !it.traced).map(([path]) => path)
}

/** What the last daemon left behind, or null at the first start ever. */
export async function loadMemory(workspace: Workspace): Promise<{ memory: Memory; savedAt: string } | null> {
  const bytes = await workspace.files.read(cursorPath(workspace))
  const cursor = bytes && shape.safeParse(parsed(bytes.toString('utf8'))).data
  if (!cursor) return null
  const known = new Map(Object.entries(cursor.known).map(([path, it]) => [path, { ...it, signature: null }]))
  const memory = { index: await workspace.git.ask(indexEntries), known, ledgerBytes: cursor.ledgerBytes, revision: 0 }
  return { memory, savedAt: cursor.savedAt }
}

/** A memory that knows the index and nothing else. */
export async function freshMemory(workspace: Workspace): Promise<Memory> {
  const ledgerBytes = await ledgerSize(workspace)
  return { index: await workspace.git.ask(indexEntries), known: new Map(), ledgerBytes, revision: 0 }
}

/** Writes down what is known. The ledger's size comes first: what is recorded meanwhile is read again, not missed. */
export async function saveMemory(workspace: Workspace, memory: Memory): Promise<void> {
  memory.ledgerBytes = await ledgerSize(workspace)
  const known = Object.fromEntries([...memory.known].map(([path, { content, traced }]) => [path, { content, traced }]))
  const savedAt = new Date(workspace.clock.now()).toISOString()
  const text = JSON.stringify({ version: 1, savedAt, ledgerBytes: memory.ledgerBytes, known })
  await workspace.files.replace(cursorPath(workspace), text, 0o600)
}

async function ledgerSize({ files, ...places }: Workspace): Promise<number> {
  return (await files.readEnd(placesOf(places).ledger, 0))?.size ?? 0
}

const shape = z.object({
  version: z.literal(1),
  savedAt: z.string(),
  ledgerBytes: z.int(),
  known: z.record(
    z.string(),
    z.object({ content: z.object({ oid: z.string(), mode: z.string() }).nullable(), traced: z.boolean() }),
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
