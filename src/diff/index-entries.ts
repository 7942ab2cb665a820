import type { GitQuery } from './query.ts'

/** What git's index says of a path: mode as six octal digits, and the blob's oid. */
export type IndexEntry = { readonly mode: string; readonly oid: string }

/** The whole index: every tracked path but submodules. Of an unmerged path our side (stage 2) counts. */
export const indexEntries: GitQuery<Map<string, IndexEntry>> = {
  args: ['ls-files', '--stage', '-z', '--full-name', ':/'],
  parse: stdout => {
    const entries = new Map<string, IndexEntry>()
    for (const line of stdout.split('\0')) {
      const [, mode, oid, stage, path] = /^(\d{6}) ([0-9a-f]+) (\d)\t([^]+)$/.exec(line) ?? []
      if (mode && oid && path && mode !== SUBMODULE && (stage === '0' || stage === '2'))
        entries.set(path, { mode, oid })
    }
    return entries
  },
}

const SUBMODULE = '160000'
