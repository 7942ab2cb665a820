import { jsonIn, objectIn, type Payload } from '../agents/payload.ts'
import { patchTargets } from './patch-targets.ts'
import type { Target } from './target.ts'

/**
 * The paths that an editing tool, or one that nobody knows (`isKnown` is false), says that it writes, in the words of
 * every agent. What the latter calls a source or a target may be anything else as well, such as a ticket.
 */
export function targetsIn(input: Payload, { isKnown = true }: { readonly isKnown?: boolean } = {}): Target[] {
  const targetOf: Naming = (name, path) => {
    if (isKnown) return [{ path }]
    return URL.test(path) ? [] : [AMBIGUOUS.has(name) && !PATH.test(path) ? { path, maybe: true } : { path }]
  }
  const found = targetsOf(input, { targetOf, depth: 0 })
  return [...new Map(found.map(it => [JSON.stringify(it), it])).values()]
}

type Naming = (name: string, text: string) => Target[]
type Search = { readonly targetOf: Naming; readonly depth: number }

const AMBIGUOUS: ReadonlySet<string> = new Set('target source src destination dest dst folder notebook'.split(' '))
const PATH = /[\\/]|^[.~]|\.\w{1,8}$/
const URL = /^(?:https?|ftps?|ssh|git|mailto|data):/i

// Cline and Roo Code hand what another server's tool is given over as a text.
function targetsOf(input: Payload, search: Search): Target[] {
  return Object.entries(input).flatMap(([key, value]): Target[] => {
    const name = key.toLowerCase().replace(/[_-]/g, '')
    if (PATCHES.has(name))
      return textsIn(value)
        .flatMap(patchTargets)
        .map(path => ({ path }))
    const texts = FIELDS.has(name) || (LISTS.has(name) && Array.isArray(value)) ? textsIn(value) : []
    const own = texts.flatMap(it => search.targetOf(name, it))
    return [...own, ...below(name === 'arguments' && typeof value === 'string' ? jsonIn(value) : value, search)]
  })
}

function below(value: unknown, { targetOf, depth }: Search): Target[] {
  if (depth >= DEPTH_MAX) return []
  const search = { targetOf, depth: depth + 1 }
  if (Array.isArray(value)) return value.flatMap(it => below(it, search))
  const item = objectIn(value)
  return item ? targetsOf(item, search) : []
}

// Without `_`, and in small letters.
const FIELDS: ReadonlySet<string> = new Set(
  (
    'path filepath file filename notebookpath notebook targetfile targetpath target targetnotebook absolutepath ' +
    'relativepath uri fileuri source sourcepath src destination destinationpath dest destpath dst oldpath newpath ' +
    'dir directory directorypath folder folderpath outputpath outputfile outpath outfile savepath'
  ).split(' '),
)
const LISTS: ReadonlySet<string> = new Set(['paths', 'files', 'filepaths', 'edits', 'operations', 'changes', 'args'])
const PATCHES: ReadonlySet<string> = new Set(['command', 'patch', 'patchtext', 'input', 'raw'])

// Who nests them without end wants the stack to overflow.
const DEPTH_MAX = 8

function textsIn(value: unknown): string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value.flat(DEPTH_MAX) : [value]
  return texts.flatMap(it => (typeof it === 'string' && it !== '' ? [fromUrl(it)] : []))
}

function fromUrl(text: string): string {
  if (!/^file:\/\//i.test(text)) return text
  try {
    return decodeURIComponent(text.replace(/^file:\/\/[^/]*/i, ''))
  } catch {
    return text
  }
}
