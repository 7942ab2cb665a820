import type { PathChange } from '../../../core/git/changes.ts'
import type { FilePatch, PatchLine } from '../../../core/git/diff/patch.ts'
import type { AuthorShare, ChangedFile, DiffAuthor, DiffBlock, IntentShare } from './commit-facts.ts'
import { cutText } from './file-view.ts'

/** What is known of a changed file beside its patch. */
export type KnownOfFile = {
  /** The entries of its path before and after the commit; before a rename, that of its old path. */
  readonly entries: Pick<PathChange, 'before' | 'after'>
  readonly isGovernance: boolean
  /** The author of an added line, by its number; null in a commit that is not judged. */
  readonly authorOf: (line: number) => DiffAuthor | null
  /** How many lines may be shown. */
  readonly room: number
}

/** A changed file as a page shows it: counts of all of its lines, and the first lines of its hunks. */
export function changedFile({ path, from, hunks }: FilePatch, known: KnownOfFile): ChangedFile {
  const { entries, isGovernance, authorOf, room } = known
  // Git prints the id of a submodule's commit as a line, and the words say it.
  const isSubmodule = [entries.before, entries.after].some(it => it?.mode === SUBMODULE)
  const lines = isSubmodule ? [] : hunks.flat()
  const shown = isSubmodule ? [] : shownHunks(hunks, room)
  return {
    ...{ path, from, isGovernance },
    words: changeWords(entries, hunks.length > 0),
    added: lines.filter(it => it.side === 'added').length,
    removed: lines.filter(it => it.side === 'removed').length,
    hunks: shown.map(it => blocksOfHunk(it, authorOf)),
    leftOut: lines.length - shown.reduce((sum, it) => sum + it.length, 0),
  }
}

function shownHunks(hunks: FilePatch['hunks'], room: number): (readonly PatchLine[])[] {
  let left = room
  return hunks.flatMap(hunk => {
    const shown = hunk.slice(0, left)
    left -= shown.length
    return shown.length === 0 ? [] : [shown]
  })
}

function blocksOfHunk(hunk: readonly PatchLine[], authorOf: KnownOfFile['authorOf']): DiffBlock[] {
  const blocks: { side: DiffBlock['side']; by: DiffAuthor | null; lines: { number: number; text: string }[] }[] = []
  for (const { side, at, bytes } of hunk) {
    const by = side === 'added' ? authorOf(at) : null
    const line = { number: at, text: cutText(Buffer.from(bytes).toString('utf8')) }
    const last = blocks.at(-1)
    if (last?.side === side && keyOf(last.by) === keyOf(by)) last.lines.push(line)
    else blocks.push({ side, by, lines: [line] })
  }
  return blocks
}

function keyOf(by: DiffAuthor | null): string {
  return JSON.stringify(by && [by.intent, by.author.kind, by.author.model, by.author.isDoubtful === true])
}

const SUBMODULE = '160000'
const LINK = '120000'
const EXECUTABLE = '100755'

/** What the lines of a change don't say, in words. */
function changeWords({ before, after }: KnownOfFile['entries'], hasLines: boolean): string[] {
  if (before?.mode === SUBMODULE || after?.mode === SUBMODULE) return [submoduleWords(before, after)]
  const kind = after?.mode === LINK || (after === null && before?.mode === LINK) ? ['symbolic link'] : []
  const life = before === null ? ['new'] : after === null ? ['removed'] : []
  const isChanged = before?.oid !== after?.oid
  const bytes = hasLines || !isChanged ? [] : isEmptyFile(before, after) ? ['empty'] : ['binary']
  return [...life, ...kind, ...modeWords(before, after), ...bytes]
}

function submoduleWords(before: PathChange['before'], after: PathChange['after']): string {
  if (after?.mode !== SUBMODULE) return `submodule removed, which was at ${before?.oid.slice(0, 10)}`
  if (before?.mode !== SUBMODULE) return `submodule added, at ${after.oid.slice(0, 10)}`
  return `submodule moved from ${before.oid.slice(0, 10)} to ${after.oid.slice(0, 10)}`
}

function modeWords(before: PathChange['before'], after: PathChange['after']): string[] {
  if (before === null || after === null || before.mode === after.mode) return []
  if (before.mode === LINK) return ['was a symbolic link']
  if (after.mode === LINK) return ['was a file']
  return [after.mode === EXECUTABLE ? 'now executable' : 'no longer executable']
}

function isEmptyFile(before: PathChange['before'], after: PathChange['after']): boolean {
  return [before, after].every(it => it === null || EMPTY_BLOBS.has(it.oid))
}

// The id of a blob without bytes, as SHA-1 and as SHA-256.
const EMPTY_BLOBS: ReadonlySet<string> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
])

/** A number of added lines of one author for one intent. */
type AuthoredCount = DiffAuthor & { readonly lines: number }

/** The authors of added lines, those with the most lines first; one in doubt is counted with the same one without. */
export function authorShares(counts: readonly AuthoredCount[]): AuthorShare[] {
  const shares = new Map<string, { author: AuthorShare['author']; lines: number; doubtful: number }>()
  for (const { author, lines } of counts) {
    const { kind, model, isDoubtful } = author
    const key = JSON.stringify([kind, model])
    const share = shares.get(key) ?? { author: { kind, model }, lines: 0, doubtful: 0 }
    share.lines += lines
    share.doubtful += isDoubtful ? lines : 0
    shares.set(key, share)
  }
  return byLines([...shares])
}

/** The intents of added lines, those with the most lines first. */
export function intentShares(counts: readonly AuthoredCount[]): IntentShare[] {
  const shares = new Map<string | null, IntentShare>()
  for (const { intent, lines } of counts)
    shares.set(intent, { intent, lines: (shares.get(intent)?.lines ?? 0) + lines })
  return byLines([...shares])
}

// The order of those with equally many lines must not depend on that of the files.
function byLines<T extends { readonly lines: number }>(shares: [key: string | null, share: T][]): T[] {
  const sorted = shares.sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return sorted.map(([, it]) => it).sort((one, other) => other.lines - one.lines)
}
