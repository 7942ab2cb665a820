import { jsonOrUndefined, objectOrNull, type Payload } from '../base/payload.ts'
import { patchTargets } from './patch-targets.ts'

/**
 * The paths that a tool's input names as written, in the field names of every agent. For an unknown tool (`isKnown` is
 * false) a source or a target may be something else, such as a ticket: it is then marked as `maybe` a path.
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

// Cline and Roo Code pass the `arguments` of an MCP tool as JSON text.
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

// Without `_` and `-`, in lower case.
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

// Real inputs nest two or three levels; an endless one must not overflow the stack.
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

/** A path that a call would write, as the call spells it. */
export type Target = {
  readonly path: string
  /** When the path is a folder, these names in it are written instead. */
  readonly into?: readonly string[]
  /** True when a folder stands for everything below it. */
  readonly tree?: boolean
  /** True when the call only takes the name away: it removes the file, or moves it elsewhere. */
  readonly removes?: boolean
  /** True when the call makes a folder of that name. */
  readonly folder?: boolean
  /** True for a word that may not be a path: it is one if a file or folder of that name exists. */
  readonly maybe?: boolean
  /** True for a word that git takes for a branch or another reference of that name, if there is one. */
  readonly orReference?: boolean
}
