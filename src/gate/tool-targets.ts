import { objectIn, type Payload } from '../agents/payload.ts'
import { patchTargets } from './patch-targets.ts'
import type { Target } from './target.ts'

/** The paths that an editing tool, or one that nobody knows, says that it writes, in the words of every agent. */
export function targetsIn(input: Payload): Target[] {
  const named = FIELDS.flatMap(it => textsIn(input[it]))
  const listed = LISTS.flatMap(it => listOf(input[it])).flatMap(it => {
    const item = objectIn(it)
    return item ? FIELDS.flatMap(field => textsIn(item[field])) : textsIn(it)
  })
  const patched = PATCHES.flatMap(it => textsIn(input[it])).flatMap(patchTargets)
  return [...new Set([...named, ...listed, ...patched])].map(path => ({ path }))
}

const FIELDS = [
  ...['path', 'file_path', 'filePath', 'filepath', 'file', 'filename', 'notebook_path', 'target_file', 'absolute_path'],
  ...['relative_path', 'relativePath', 'uri', 'source', 'destination', 'old_path', 'new_path', 'oldPath', 'newPath'],
  ...['target_notebook', 'dir', 'directory', 'output_path', 'target'],
]
const LISTS = ['paths', 'files', 'file_paths', 'edits', 'operations', 'changes', 'args']
const PATCHES = ['command', 'patch', 'patchText', 'input', 'patch_text', 'raw']

// Who nests them without end wants the stack to overflow.
const DEPTH_MAX = 8

function textsIn(value: unknown): string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value.flat(DEPTH_MAX) : [value]
  return texts.flatMap(it => (typeof it === 'string' && it !== '' ? [it.replace(/^file:\/\//, '')] : []))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
