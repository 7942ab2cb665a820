import { withLock } from '../io/files/lock.ts'
import { type CatalogueSegment, mergeSegments } from '../../core/ledger/catalogue-segment.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { CATALOGUE_LOCK_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { nextSegment, SEGMENT_BYTES_MAX, SEGMENT_LINES_MAX, tailHashAt } from './build-segments.ts'
import { keepSegments, makeCatalogueFolder, openInMemory, openSavedSegments, saveSegment } from './catalogue-folder.ts'
import { loadSegment, type OpenSegment } from './open-segment.ts'
import { scanSideBySide } from './side-by-side.ts'
import type { OpenLedger } from './open-ledger.ts'
import { onlyStretch } from './stretches.ts'

/** Called with the part of a long ledger that has been read, from 0 to 1. */
export type ReadProgress = (share: number) => void

/** The segments of a ledger up to its last whole line: the saved ones, and those of the lines after them. */
export async function currentSegments(
  workspace: Workspace,
  ledger: OpenLedger,
  progress: ReadProgress = () => {},
): Promise<OpenSegment[]> {
  const saved = await savedSegments(workspace, ledger)
  if (!(await hasMoreLines(ledger, saved))) return saved
  const work = () => extendCatalogue(workspace, { ledger, isKept: true, progress })
  const extended = withLock(ownPath(workspace, 'catalogue.lock'), work, { waitMsMax: CATALOGUE_LOCK_WAIT_MS_MAX })
  // A reader without write access has the rest of the catalogue in memory.
  return extended.catch(() => extendCatalogue(workspace, { ledger, isKept: false, progress }))
}

/** The segments of a ledger, all of them made again. */
export async function newSegments(
  workspace: Workspace,
  ledger: OpenLedger,
  progress?: ReadProgress,
): Promise<OpenSegment[]> {
  const remove = () => keepSegments(workspace, [])
  await withLock(ownPath(workspace, 'catalogue.lock'), remove, { waitMsMax: CATALOGUE_LOCK_WAIT_MS_MAX }).catch(
    () => {},
  )
  return currentSegments(workspace, ledger, progress)
}

/** The segments of a ledger, made again without a use of its catalogue. */
export async function segmentsInMemory(workspace: Workspace, ledger: OpenLedger): Promise<OpenSegment[]> {
  return addSegments(workspace, [], { ledger, isKept: false, progress: () => {} })
}

/** The saved segments of this ledger. The end of another ledger, or of a shorter one, has other bytes. */
async function savedSegments(workspace: Workspace, ledger: OpenLedger): Promise<OpenSegment[]> {
  const saved = await openSavedSegments(workspace)
  while (saved.length > 0 && (await tailHashAt(ledger, saved.at(-1)?.to ?? 0)) !== saved.at(-1)?.tail) saved.pop()
  return saved
}

async function hasMoreLines(ledger: OpenLedger, segments: readonly OpenSegment[]): Promise<boolean> {
  const reached = endOf(segments)
  if (reached >= ledger.size) return false
  const rest = await ledger.read(reached, Math.min(ledger.size, reached + LINE_BYTES_MAX))
  return rest.length === LINE_BYTES_MAX || rest.includes(LF)
}

const LF = 0x0a
// Most lines are shorter.
const LINE_BYTES_MAX = 65_536

type CatalogueTerms = { readonly ledger: OpenLedger; readonly isKept: boolean; readonly progress: ReadProgress }

async function extendCatalogue(workspace: Workspace, terms: CatalogueTerms): Promise<OpenSegment[]> {
  if (terms.isKept) await makeCatalogueFolder(workspace)
  const segments = await addSegments(workspace, await savedSegments(workspace, terms.ledger), terms)
  if (terms.isKept) await keepSegments(workspace, segments).catch(() => {})
  return segments
}

async function addSegments(
  workspace: Workspace,
  segments: OpenSegment[],
  { ledger, isKept, progress }: CatalogueTerms,
): Promise<OpenSegment[]> {
  const report = (at: number) => progress(at / ledger.size)
  const from = endOf(segments)
  await using threads = await scanSideBySide(ledger, { from, progress: bytes => report(from + bytes) })
  for (;;) {
    const stretch = { from: 0, to: threads.nextStretch(endOf(segments)) }
    const segment =
      (await threads.after(segments)) ?? (await nextSegment(onlyStretch(ledger, stretch), segments, report))
    if (!segment) return segments
    await addSegment(workspace, segments, { segment, isKept })
  }
}

function endOf(segments: readonly OpenSegment[]): number {
  return segments.at(-1)?.to ?? 0
}

/**
 * Adds a segment, merged with those before it that are not much larger: so there are few segments, and a line is
 * written few times.
 */
async function addSegment(
  workspace: Workspace,
  segments: OpenSegment[],
  { segment, isKept }: { segment: CatalogueSegment; isKept: boolean },
): Promise<void> {
  let merged = segment
  for (let last = segments.at(-1); last && belongTogether(last, merged); last = segments.at(-1)) {
    merged = mergeSegments(await loadSegment(last), merged)
    segments.pop()
  }
  // A segment that can't be saved is made again the next time.
  const saved = isKept ? await saveSegment(workspace, merged).catch(() => null) : null
  segments.push(saved ?? (await openInMemory(merged)))
}

function belongTogether(one: OpenSegment, { to, starts }: CatalogueSegment): boolean {
  const lines = one.sections.starts.count
  const isSmall = lines + starts.length <= SEGMENT_LINES_MAX && to - one.from <= SEGMENT_BYTES_MAX
  return isSmall && lines < starts.length * GROWTH
}

// Each segment is so many times as large as the next one, as long as they are not full.
const GROWTH = 4
