import type { PathChange } from '../../../core/git/changes.ts'
import type { Classification } from '../../../core/code/symbols/classify/classify-change.ts'
import type { Parser } from './parser.ts'

/** A change of a file between two states, and its class. */
export type ClassifiedFile = Classification & { readonly path: string }

/** A side of a change that is a text; what is not has a reason instead. */
type Side = { readonly text: string | null } | { readonly reason: string }

/** Reads a side of a change; null when its content is gone. */
export type ReadSide = (entry: { readonly oid: string }, path: string) => Promise<Buffer | null>

/** Classifies changes of files, in their order. */
export async function* classifyFiles(
  changes: readonly PathChange[],
  { parser, read }: { readonly parser: Parser; readonly read: ReadSide },
): AsyncGenerator<ClassifiedFile> {
  for (const change of changes) {
    const { path, before, after } = change
    const one = await sideOf(before, { path, read })
    const other = await sideOf(after, { path, read })
    yield { path, ...(await classOf(change, { one, other, parser })) }
  }
}

type Sides = { readonly one: Side; readonly other: Side; readonly parser: Parser }

async function classOf({ path, before, after }: PathChange, { one, other, parser }: Sides): Promise<Classification> {
  if ('reason' in one) return { mutationClass: 'UNKNOWN', evidence: [one.reason] }
  if ('reason' in other) return { mutationClass: 'UNKNOWN', evidence: [other.reason] }
  const isOfOtherMode = before !== null && after !== null && before.mode !== after.mode
  if (isOfOtherMode) return { mutationClass: 'INTENT_EVOLUTION', evidence: [`the mode is ${after.mode} now`] }
  return parser.classify({ path, before: one.text, after: other.text })
}

type SideReader = { readonly path: string; readonly read: ReadSide }

async function sideOf(entry: PathChange['before'], { path, read }: SideReader): Promise<Side> {
  if (entry === null) return { text: null }
  if (!entry.mode.startsWith('100')) return { reason: 'it is not a regular file' }
  const bytes = await read(entry, path)
  if (bytes === null) return { reason: 'its content is not there any more' }
  try {
    return { text: DECODER.decode(bytes) }
  } catch {
    return { reason: 'it is not UTF-8' }
  }
}

// A mark at the beginning of a file is a part of its text.
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
