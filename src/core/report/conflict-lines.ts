import type { DeclarationConflict } from '../code/map/conflicts.ts'
import { printable } from '../base/printable.ts'

/** A conflict as one line: the declaration, and which session of which intent has changed it as well, and where. */
export function conflictLine({ path, kind, name, mine, other }: DeclarationConflict): string {
  const who = other.agent === null ? 'a person' : printable(other.agent)
  const where = other.worktree === mine.worktree ? 'in this worktree' : `in ${printable(other.worktree)}`
  const by = `${printable(other.intent)} (${who}, session ${printable(other.session)}, ${where})`
  return `${printable(path)}: ${kind} ${printable(name)} is being changed for ${by} as well`
}
