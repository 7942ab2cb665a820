import type { GitQuery } from './query.ts'

/** One path that a commit changes. Both ends of a rename are changes of their own. */
export type Change = {
  readonly path: string
  /** What stood there and what will: git mode and blob oid, null where there is nothing. */
  readonly before: { readonly mode: string; readonly oid: string } | null
  readonly after: { readonly mode: string; readonly oid: string } | null
}

/** What the index changes in a tree: submodules whatever is configured, but not what is only meant to be added. */
export function stagedChanges(tree: string): GitQuery<Change[]> {
  const flags = ['--cached', '-z', '--no-renames', '--ignore-submodules=none', '--ita-invisible-in-index']
  return { args: ['diff-index', ...flags, tree], parse: parseRaw }
}

/** Reads `-z --raw` as diff-index and diff-tree print it. */
export function parseRaw(out: string): Change[] {
  const fields = out.split('\0')
  const changes: Change[] = []
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [modeBefore = '', modeAfter = '', before = '', after = ''] = (fields[n] ?? '').slice(1).split(' ')
    const path = fields[n + 1] ?? ''
    changes.push({ path, before: end(modeBefore, before), after: end(modeAfter, after) })
  }
  return changes
}

function end(mode: string, oid: string): Change['before'] {
  return mode === '000000' ? null : { mode, oid }
}
