import { join } from 'node:path'
import type { CatalogueSegment } from '../../core/ledger/catalogue-segment.ts'
import { segmentBytes } from '../../core/ledger/segment-bytes.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { ledgerSize } from './open-ledger.ts'
import { openSegment, type OpenSegment } from './open-segment.ts'

/** The saved segments that follow each other from the ledger's first byte on. A damaged one ends the row. */
export async function openSavedSegments(workspace: Workspace): Promise<OpenSegment[]> {
  const { files } = workspace
  const folder = catalogueFolder(workspace)
  const saved: OpenSegment[] = []
  for (const { name, from, to } of followingSpans(await files.list(folder).catch(() => []))) {
    const segment = await openSegment((first, last) => files.readAt(join(folder, name), first, last)).catch(() => null)
    if (segment?.from !== from || segment.to !== to || segment.linesBefore !== linesIn(saved)) break
    saved.push(segment)
  }
  return saved
}

/** How many lines some segments have, the first of which begins with the ledger. */
export function linesIn(segments: readonly OpenSegment[]): number {
  const last = segments.at(-1)
  return last ? last.linesBefore + last.sections.starts.count : 0
}

/** Writes a segment, and opens it. The file is there with its whole content or not at all, unless the power fails. */
export async function saveSegment(workspace: Workspace, segment: CatalogueSegment): Promise<OpenSegment | null> {
  const path = join(catalogueFolder(workspace), segmentName(segment))
  await workspace.files.put(path, Buffer.from(segmentBytes(segment)))
  return openSegment((first, last) => workspace.files.readAt(path, first, last))
}

/** A segment that is only in memory, as if it was saved. */
export async function openInMemory(segment: CatalogueSegment): Promise<OpenSegment> {
  const bytes = Buffer.from(segmentBytes(segment))
  const opened = await openSegment(async (from, to) => bytes.subarray(from, to))
  if (!opened) throw new Error(`A segment of ${bytes.length} bytes can't be read again.`)
  return opened
}

/** Removes the files of the catalogue but for some segments. Only for the holder of its lock. */
export async function keepSegments(
  workspace: Workspace,
  kept: readonly Pick<OpenSegment, 'from' | 'to'>[],
): Promise<void> {
  const { files } = workspace
  const names = new Set(kept.map(segmentName))
  const folder = catalogueFolder(workspace)
  for (const name of await files.list(folder)) if (!names.has(name)) await files.clear(join(folder, name))
}

/** Makes the catalogue's folder. Earlier versions had a file there. */
export async function makeCatalogueFolder(workspace: Workspace): Promise<void> {
  await workspace.files.privateFolder(catalogueFolder(workspace))
}

/** How many bytes at the end of the ledger are not in the catalogue, by the names of its files. */
export async function uncataloguedBytes(workspace: Workspace): Promise<number> {
  const size = await ledgerSize(workspace)
  const to = followingSpans(await workspace.files.list(catalogueFolder(workspace))).at(-1)?.to ?? 0
  // A catalogue that goes further is of another ledger.
  return to > size ? size : size - to
}

type NamedSpan = { readonly name: string; readonly from: number; readonly to: number }

/** Spans that follow each other from zero on. Of two that begin at once, the longer is the shorter one's merge. */
function followingSpans(names: readonly string[]): NamedSpan[] {
  const row: NamedSpan[] = []
  const all = names.map(spanOf).filter(it => it !== null)
  for (let at = 0; ;) {
    const [longest] = all.filter(it => it.from === at && it.to > at).sort((a, b) => b.to - a.to)
    if (!longest) return row
    row.push(longest)
    at = longest.to
  }
}

function spanOf(name: string): NamedSpan | null {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(name) ?? []
  return from === undefined || to === undefined ? null : { name, from: Number(from), to: Number(to) }
}

function segmentName({ from, to }: Pick<OpenSegment, 'from' | 'to'>): string {
  return `${from}-${to}`
}

function catalogueFolder(workspace: Workspace): string {
  return ownPath(workspace, 'catalogue')
}
