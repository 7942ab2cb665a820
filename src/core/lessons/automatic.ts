import { published, safe, safeCode, safeList, safePath, type SafeText } from '../outgoing/safe-text.ts'
import type { LessonDraft } from './lesson.ts'

/** A lesson of kotef's own: its text is made of words and names that may leave this machine. */
export type SeenLesson = LessonDraft & { readonly text: SafeText }

/** A check that failed, and passed after some files had changed. */
export type FixedCheck = {
  /** The command as the registry has it, or its words without values. */
  readonly what: SafeText
  /** The class of its error, and where in a tracked file it occurred; empty where neither is known. */
  readonly error: SafeText
  readonly changed: readonly string[]
  readonly intent: string | null
}

/** The lesson of a check that was repaired; null when no file had changed: it may fail at random. */
export function fixedCheckLesson({ what, error, changed, intent }: FixedCheck): SeenLesson | null {
  if (changed.length === 0) return null
  const why = error === '' ? safe`` : safe` with ${error}`
  const text = safe`${safeCode(clipped(what, COMMAND_CHARS_MAX))} failed${why} until ${listed(changed)} changed.`
  // Equal in all clones. An error without a place says too little to be the same one.
  const signature = error.includes(':') ? `check ${what} ${error}` : null
  return { signature, text, paths: changed, intent, by: 'check' }
}

/** A scope that a person has widened. */
export type WidenedScope = {
  readonly intent: string
  /** The scope before. */
  readonly scope: readonly string[]
  readonly wants: readonly string[]
}

/** The lesson of a widened scope; null when it was not widened. */
export function widenedScopeLesson({ intent, scope, wants }: WidenedScope): SeenLesson | null {
  const more = wants.filter(it => !scope.includes(it))
  if (more.length === 0) return null
  const owned = scope.filter(it => !it.startsWith('!'))
  const text = safe`Work on ${listed(owned)} (${published(intent)}) needed ${listed(more)} as well.`
  // Another intent with these files may need them too.
  const paths = [...owned.slice(0, OWNED_MAX), ...more]
  return { signature: `scope ${owned.join(' ')} ${more.join(' ')}`, text, paths, intent, by: 'approval' }
}

const COMMAND_CHARS_MAX = 80
const LISTED_MAX = 3
const OWNED_MAX = 3

function listed(paths: readonly string[]): SafeText {
  const more = paths.length - LISTED_MAX
  const named = safeList(paths.slice(0, LISTED_MAX).map(it => safeCode(safePath(it, null))))
  return more > 0 ? safe`${named} and ${more} more` : named
}

function clipped(text: SafeText, charactersMax: number): SafeText {
  const all = Array.from(text)
  return all.length > charactersMax ? published(`${all.slice(0, charactersMax - 1).join('')}…`) : text
}
