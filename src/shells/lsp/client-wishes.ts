import type { ClientWishes } from './host.ts'
import { objectOrNull } from '../../core/base/payload.ts'
import { pathOfUri } from './file-uri.ts'

/** Reads an initialize call. What is missing, or of another type, counts as not wanted. */
export function clientWishes(params: unknown, cwd: string): ClientWishes {
  const formats = valueAt(params, 'capabilities', 'textDocument', 'hover', 'contentFormat')
  const flag = (...keys: string[]) => valueAt(params, ...keys) === true
  return {
    folders: foldersOf(params, cwd),
    showsMarkdown: Array.isArray(formats) && formats.includes('markdown'),
    showsDocuments: flag('capabilities', 'window', 'showDocument', 'support'),
    refreshesLenses: flag('capabilities', 'workspace', 'codeLens', 'refreshSupport'),
    watchesFolders: flag('capabilities', 'workspace', 'workspaceFolders'),
    blockLenses: flag('initializationOptions', 'blockLenses'),
  }
}

function foldersOf(params: unknown, cwd: string): string[] {
  const given = valueAt(params, 'workspaceFolders')
  const uris =
    Array.isArray(given) && given.length > 0 ? given.map(it => valueAt(it, 'uri')) : [valueAt(params, 'rootUri')]
  const folders = uris.flatMap(it => pathOfUri(it) ?? [])
  return folders.length > 0 ? folders : [cwd]
}

function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => objectOrNull(at)?.[key], value)
}
