import { malformation } from '../base/globs.ts'
import { escapeInvisible } from '../base/printable.ts'
import { sha256Hex } from '../base/sha256.ts'

/** Something that an agent, a person or kotef learned in this repository: one line of data, never an instruction. */
export type Lesson = {
  /** Made from the first signature; it stays when a person edits the text. */
  readonly id: string
  readonly text: string
  /** Globs of the files that it is about; none for a lesson that concerns everybody. */
  readonly paths: readonly string[]
  /** The intent during whose work it was recorded. */
  readonly intent: string | null
  /** Who recorded it: a person, an agent with its session, or the process that saw what happened. */
  readonly by: string
  /** The day on which it was recorded for the last time, such as 2026-01-31; empty where nothing says it. */
  readonly at: string
  /** How often it was recorded. */
  readonly seen: number
  /** True when none of its files was there whenever the list was written: they may be made later. */
  readonly isAhead: boolean
}

/** A lesson before it is recorded. Equal signatures mean the same lesson; null stands for that of the text. */
export type LessonDraft = Pick<Lesson, 'text' | 'paths' | 'intent' | 'by'> & { readonly signature: string | null }

/** A lesson as it is recorded on a day; null for a text that says nothing. */
export function lessonOf({ signature, text, paths, intent, by }: LessonDraft, today: string): Lesson | null {
  const line = lessonText(text)
  if (line === '') return null
  const id = lessonId(signature ?? line)
  return { id, text: line, paths: lessonPaths(paths), ...origin(intent, by), at: today, seen: 1, isAhead: false }
}

/** Who recorded a lesson and for which intent, each as a short line. */
export function origin(intent: string | null, by: string): Pick<Lesson, 'intent' | 'by'> {
  return { intent: oneLine(intent ?? '', NAME_CHARS_MAX) || null, by: oneLine(by, NAME_CHARS_MAX) || 'unknown' }
}

/** The id of a lesson with a signature: equal texts have one id, whatever their punctuation and case. */
export function lessonId(signature: string): string {
  return sha256Hex(textKey(signature)).slice(0, ID_CHARS)
}

/** What two texts with the same words have in common. */
export function textKey(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? text : words
}

/** A text as one line of bounded length in which every character is visible. */
export function lessonText(text: string): string {
  return oneLine(text, TEXT_CHARS_MAX)
}

/** The well-formed globs among some, as few as a line has room for. */
export function lessonPaths(paths: readonly string[]): string[] {
  const named = paths.slice(0, GIVEN_PATHS_MAX).map(it => oneLine(it.replace(/^(?:\.?\/)+/, ''), PATH_CHARS_MAX + 1))
  const fit = [...new Set(named)].filter(it => it !== '' && it.length <= PATH_CHARS_MAX && isPath(it))
  return fit.slice(0, PATHS_MAX)
}

function isPath(glob: string): boolean {
  return !glob.split('/').includes('..') && malformation(glob) === null
}

// White space first: a line break would otherwise be escaped. Composing last: an escape ends in a letter, with which a
// mark after it could be composed.
function oneLine(text: string, charactersMax: number): string {
  const visible = escapeInvisible(
    text
      .slice(0, charactersMax * READ_FACTOR)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const all = Array.from(visible.normalize('NFC'))
  return all.length > charactersMax ? `${all.slice(0, charactersMax - 1).join('')}…` : all.join('')
}

// Enough room for text of which the white space goes. A text of a megabyte is not read to its end.
const READ_FACTOR = 8
const TEXT_CHARS_MAX = 400
const NAME_CHARS_MAX = 60
const PATHS_MAX = 6
const GIVEN_PATHS_MAX = 100
const PATH_CHARS_MAX = 120
// 40 bits: among ten thousand lessons, two have one id in one case of twenty thousand.
const ID_CHARS = 10
