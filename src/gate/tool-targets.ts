import { jsonIn, objectIn, type Payload } from '../agents/payload.ts'
import { patchTargets } from './patch-targets.ts'
import type { Target } from './target.ts'

/** The paths that an editing tool, or one that nobody knows, says that it writes, in the words of every agent. */
export function targetsIn(input: Payload): Target[] {
  return [...new Set(pathsIn(input, 0))].map(path => ({ path }))
}

// Cline and Roo Code hand what another server's tool is given over as a text.
function pathsIn(input: Payload, depth: number): string[] {
  const held = Object.entries(input).flatMap(([key, value]): string[] => {
    const name = key.toLowerCase().replace(/[_-]/g, '')
    if (PATCHES.has(name)) return textsIn(value).flatMap(patchTargets)
    const own = FIELDS.has(name) || (LISTS.has(name) && Array.isArray(value)) ? textsIn(value) : []
    return [...own, ...below(name === 'arguments' && typeof value === 'string' ? jsonIn(value) : value, depth + 1)]
  })
  return held
}

function below(value: unknown, depth: number): string[] {
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap(it => below(it, depth + 1))
  const item = objectIn(value)
  return item ? pathsIn(item, depth) : []
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
