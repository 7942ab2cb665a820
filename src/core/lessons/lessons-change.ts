import type { PathChange } from '../git/changes.ts'
import { changesOnlyLessons, LESSONS_FILES } from './lessons-file.ts'

/** The change of an agent's prompt file that may hold the lessons, among the changes of a commit; null for none. */
export function promptFileChange(changes: readonly PathChange[]): PathChange | null {
  const found = changes.find(it => it.path === LESSONS_FILES['CLAUDE.md'])
  const { before, after } = found ?? {}
  const isFile = after?.mode.startsWith('100') === true && (!before || before.mode === after.mode)
  return found && isFile ? found : null
}

/** What a commit says about its change of that file: whether only lessons differ. Null stands for a missing content. */
export function lessonsFact(before: Uint8Array | null, after: Uint8Array | null): { readonly onlyLessons?: true } {
  return after !== null && changesOnlyLessons(before ?? Buffer.alloc(0), after) ? { onlyLessons: true } : {}
}
