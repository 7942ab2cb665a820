/** The files that a patch in the form of `apply_patch` adds, changes, moves or deletes. */
export function patchTargets(patch: string): string[] {
  const lines = patch.split(/\r?\n/)
  return lines.flatMap(line => {
    const [, path] = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to):\s*(.+?)\s*$/s.exec(line) ?? []
    return path === undefined ? [] : [path]
  })
}
