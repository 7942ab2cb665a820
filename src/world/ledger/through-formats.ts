import type { CommitRecord } from '../../core/ledger/commit-record.ts'
import { notedClasses } from '../../core/ledger/noted-classes.ts'

/** By the oid of a commit whose changes have classes, the paths of which it changed the layout alone. */
export type KnownFormats = Map<string, readonly string[]>

/** Lines that git blames on a commit; without a path, the file has the same one there as now. */
type Blamed = { readonly commit: string; readonly path?: string }

type Blaming<Lines> = {
  readonly recordsOn: (commits: readonly string[]) => Promise<ReadonlyMap<string, readonly CommitRecord[]>>
  /** Blames a file again, and looks through some commits. */
  readonly again: (path: string, ignored: readonly string[]) => Promise<readonly Lines[]>
}

/**
 * The lines of some files as if no commit had changed their layout: where a note says that a change is FORMAT, by the
 * proof of its class, the lines are those of their authors before. A line that git finds nothing like in the text
 * before stays the formatter's. `known` spares later calls the notes of commits whose classes are known.
 */
export async function throughFormats<Lines extends Blamed>(
  files: ReadonlyMap<string, readonly Lines[]>,
  { recordsOn, again }: Blaming<Lines>,
  known: KnownFormats = new Map(),
): Promise<Map<string, readonly Lines[]>> {
  const found = new Map(files)
  const ignored = new Map<string, Set<string>>()
  const asked = new Set<string>()
  let paths = [...files.keys()]
  for (let round = 0; round < ROUNDS_MAX && paths.length > 0; round++) {
    const commits = new Set(paths.flatMap(it => found.get(it) ?? []).map(it => it.commit))
    const unread = [...commits].filter(it => !known.has(it) && !asked.has(it) && !UNCOMMITTED_OID.test(it))
    for (const it of unread) asked.add(it)
    if (unread.length > 0) keepFormats(known, await recordsOn(unread))
    const formatted = paths.map(path => [path, newFormats(path, found.get(path) ?? [], { known, ignored })] as const)
    const changed = formatted.filter(([, of]) => of.length > 0)
    for (const [path, of] of changed) {
      const through = new Set([...(ignored.get(path) ?? []), ...of])
      ignored.set(path, through)
      found.set(path, await again(path, [...through]))
    }
    paths = changed.map(([path]) => path)
  }
  return found
}

// What lies below a formatter's commit may be another one. More of them than a file has, one upon the other.
const ROUNDS_MAX = 12

const UNCOMMITTED_OID = /^0+$/

function keepFormats(known: KnownFormats, records: ReadonlyMap<string, readonly CommitRecord[]>): void {
  for (const [commit, all] of records) {
    const classes = [...notedClasses(all)]
    const formats = classes.filter(([, it]) => it.mutation_class === 'FORMAT').map(([path]) => path)
    if (classes.length > 0) known.set(commit, formats)
  }
}

type Looked = { readonly known: KnownFormats; readonly ignored: ReadonlyMap<string, ReadonlySet<string>> }

function newFormats(path: string, lines: readonly Blamed[], { known, ignored }: Looked): string[] {
  const isFormat = (it: Blamed) => known.get(it.commit)?.includes(it.path ?? path) && !ignored.get(path)?.has(it.commit)
  return [...new Set(lines.filter(isFormat).map(it => it.commit))]
}
