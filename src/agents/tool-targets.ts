import { jsonOrUndefined, objectOrNull, type Payload } from '../text/payload.ts'
import { patchTargets } from './patch-targets.ts'
import type { Target } from './target.ts'

/**
 * The paths that an editing tool, or one that nobody knows (`isKnown` is false), says that it writes, in the words of
 * every agent. What the latter calls a source or a target may be anything else as well, such as a ticket.
 */
export function targetsIn(input: Payload, { isKnown = true }: { readonly isKnown?: boolean } = {}): Target[] {
  const targetOf: TargetReader = (name, path) => {
    if (isKnown) return [{ path }]
    return URL_LIKE.test(path)
      ? []
      : [AMBIGUOUS_FIELDS.has(name) && !PATH_LIKE.test(path) ? { path, maybe: true } : { path }]
  }
  const found = fieldTargets(input, { targetOf, depth: 0 })
  return [...new Map(found.map(it => [JSON.stringify(it), it])).values()]
}

type TargetReader = (name: string, text: string) => Target[]
type TargetSearch = { readonly targetOf: TargetReader; readonly depth: number }

const AMBIGUOUS_FIELDS: ReadonlySet<string> = new Set(
  'target source src destination dest dst folder notebook'.split(' '),
)
const PATH_LIKE = /[\\/]|^[.~]|\.\w{1,8}$/
const URL_LIKE = /^(?:https?|ftps?|ssh|git|mailto|data):/i

// Cline and Roo Code hand what another server's tool is given over as a text.
function fieldTargets(input: Payload, search: TargetSearch): Target[] {
  return Object.entries(input).flatMap(([key, value]): Target[] => {
    const name = key.toLowerCase().replace(/[_-]/g, '')
    if (PATCH_FIELDS.has(name))
      return pathTexts(value)
        .flatMap(patchTargets)
        .map(path => ({ path }))
    const texts = PATH_FIELDS.has(name) || (PATH_LIST_FIELDS.has(name) && Array.isArray(value)) ? pathTexts(value) : []
    const own = texts.flatMap(it => search.targetOf(name, it))
    return [
      ...own,
      ...nestedTargets(name === 'arguments' && typeof value === 'string' ? jsonOrUndefined(value) : value, search),
    ]
  })
}

function nestedTargets(value: unknown, { targetOf, depth }: TargetSearch): Target[] {
  if (depth >= NESTING_MAX) return []
  const search = { targetOf, depth: depth + 1 }
  if (Array.isArray(value)) return value.flatMap(it => nestedTargets(it, search))
  const item = objectOrNull(value)
  return item ? fieldTargets(item, search) : []
}

// Without `_`, and in small letters.
const PATH_FIELDS: ReadonlySet<string> = new Set(
  (
    'path filepath file filename notebookpath notebook targetfile targetpath target targetnotebook absolutepath ' +
    'relativepath uri fileuri source sourcepath src destination destinationpath dest destpath dst oldpath newpath ' +
    'dir directory directorypath folder folderpath outputpath outputfile outpath outfile savepath'
  ).split(' '),
)
const PATH_LIST_FIELDS: ReadonlySet<string> = new Set([
  'paths',
  'files',
  'filepaths',
  'edits',
  'operations',
  'changes',
  'args',
])
const PATCH_FIELDS: ReadonlySet<string> = new Set(['command', 'patch', 'patchtext', 'input', 'raw'])

// Who nests them without end wants the stack to overflow.
const NESTING_MAX = 8

function pathTexts(value: unknown): string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value.flat(NESTING_MAX) : [value]
  return texts.flatMap(it => (typeof it === 'string' && it !== '' ? [pathFromUrl(it)] : []))
}

function pathFromUrl(text: string): string {
  if (!/^file:\/\//i.test(text)) return text
  try {
    return decodeURIComponent(text.replace(/^file:\/\/[^/]*/i, ''))
  } catch {
    return text
  }
}
