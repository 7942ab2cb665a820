import { type Lesson, type LessonDraft, lessonOf, textKey } from './lesson.ts'
import { lessonLine, SEEN_MAX } from './lesson-line.ts'

/** How many lessons are kept, and how many bytes their lines may have. */
export type LessonLimits = { readonly items: number; readonly bytes: number }

/** The day, the limits of the list, and whether the last wording of a lesson counts, in place of the first. */
export type RecordingTerms = { readonly today: string; readonly limits: LessonLimits; readonly rewords?: true }

/** A list of lessons with another one recorded on a day. The same lesson again raises its count and date. */
export function withLesson(
  lessons: readonly Lesson[],
  draft: LessonDraft,
  { today, limits, rewords }: RecordingTerms,
): { readonly lessons: readonly Lesson[]; readonly lesson: Lesson | null } {
  const given = lessonOf(draft, today)
  if (!given) return { lessons: boundLessons(lessons, limits), lesson: null }
  const known = knownLesson(lessons, given)
  const worded = known && rewords ? { ...known, text: given.text, paths: given.paths } : known
  const lesson = worded ? { ...worded, at: today, seen: Math.min(worded.seen + 1, SEEN_MAX) } : given
  const others = lessons.filter(it => it !== known)
  return { lessons: boundLessons([...others, lesson], limits, lesson.id), lesson }
}

/** A list with lessons that have waited for it. One that the list has is counted on, and keeps the text of the list. */
export function withWaiting(lessons: readonly Lesson[], waiting: readonly Lesson[]): Lesson[] {
  return waiting.reduce<Lesson[]>((list, it) => {
    const known = knownLesson(list, it)
    return [...list.filter(other => other !== known), known ? countedOn(known, it) : it]
  }, mergeLessons(lessons))
}

function countedOn(known: Lesson, more: Lesson): Lesson {
  const at = known.at > more.at ? known.at : more.at
  return { ...known, at, seen: Math.min(known.seen + more.seen, SEEN_MAX), isAhead: known.isAhead && more.isAhead }
}

/** The lessons that still wait when some of them, counted as they were then, are in the list. */
export function stillWaiting(waiting: readonly Lesson[], arrived: readonly Pick<Lesson, 'id' | 'seen'>[]): Lesson[] {
  return waiting.flatMap(it => {
    const seen = it.seen - (arrived.find(({ id }) => id === it.id)?.seen ?? 0)
    return seen > 0 ? [{ ...it, seen }] : []
  })
}

/** The lesson of a list that another one is the same as. */
export function knownLesson(lessons: readonly Lesson[], { id, text }: Pick<Lesson, 'id' | 'text'>): Lesson | undefined {
  return lessons.find(it => it.id === id) ?? lessons.find(it => textKey(it.text) === textKey(text))
}

/** Several lists as one, each lesson once, in the order in which they are written. */
export function mergeLessons(...lists: readonly (readonly Lesson[])[]): Lesson[] {
  return sortedById(
    uniqueBy(
      uniqueBy(lists.flat(), it => it.id),
      it => textKey(it.text),
    ),
  )
}

function uniqueBy(lessons: readonly Lesson[], keyOf: (lesson: Lesson) => string): Lesson[] {
  const known = new Map<string, Lesson>()
  for (const it of lessons) {
    const other = known.get(keyOf(it))
    known.set(keyOf(it), other ? mergedLesson(other, it) : it)
  }
  return [...known.values()]
}

// Both sides of a merge have counted what was there before, so the counts are not added.
function mergedLesson(one: Lesson, other: Lesson): Lesson {
  const latest = isBefore(one, other) ? one : other
  const seen = Math.max(one.seen, other.seen)
  return { ...latest, id: one.id < other.id ? one.id : other.id, seen, isAhead: one.isAhead && other.isAhead }
}

// The latest first; on the same day the order of the texts decides, so that all merges have one result.
function isBefore(one: Lesson, other: Lesson): boolean {
  if (one.at !== other.at) return one.at > other.at
  const [a, b] = [one, other].map(it => lessonLine({ ...it, id: '', seen: 1, isAhead: false }))
  return (a ?? '') < (b ?? '')
}

// Ids are hashes, so two branches add their lines at different places, and merge.
function sortedById(lessons: readonly Lesson[]): Lesson[] {
  return [...lessons].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/** The most useful lessons that the limits have room for; `kept` is the id of one that stays in any case. */
export function boundLessons(lessons: readonly Lesson[], limits: LessonLimits, kept: string | null = null): Lesson[] {
  const merged = mergeLessons(lessons)
  const ranked = byUse(merged).sort((a, b) => Number(b.id === kept) - Number(a.id === kept))
  const fit: Lesson[] = []
  let bytes = 0
  for (const it of ranked.slice(0, Math.max(limits.items, kept === null ? 0 : 1))) {
    bytes += Buffer.byteLength(lessonLine(it)) + 1
    if (bytes > limits.bytes && it.id !== kept) break
    fit.push(it)
  }
  return sortedById(fit)
}

/** Lessons in the order of their use: the ones that were recorded lately and often come first. */
export function byUse(lessons: readonly Lesson[]): Lesson[] {
  const ranked = lessons.map(lesson => ({ lesson, rank: rankOf(lesson) }))
  return ranked.sort((a, b) => b.rank - a.rank || (a.lesson.id < b.lesson.id ? -1 : 1)).map(it => it.lesson)
}

// A lesson that was recorded twice as often stays for another month.
function rankOf({ at, seen }: Lesson): number {
  const days = at === '' ? 0 : Date.parse(at) / MILLISECONDS_IN_DAY
  return (Number.isNaN(days) ? 0 : days) + DAYS_OF_DOUBLE_USE * Math.log2(seen)
}

const DAYS_OF_DOUBLE_USE = 30
const MILLISECONDS_IN_DAY = 86_400_000

/** Says whether a glob means a file that is there. */
type Lookup = (glob: string) => boolean

/** The lessons of which a file is left, or was never there. */
export function lessonsInUse(lessons: readonly Lesson[], isThere: Lookup): Lesson[] {
  const noted = lessons.map(it => (it.isAhead && hasFile(it, isThere) ? { ...it, isAhead: false } : it))
  return noted.filter(it => it.isAhead || hasFile(it, isThere))
}

/** The lessons, with a mark on those that the list did not have before and of which no file is there yet. */
export function markAhead(lessons: readonly Lesson[], before: readonly Lesson[], isThere: Lookup): Lesson[] {
  const known = new Set(before.map(it => it.id))
  return lessons.map(it => (known.has(it.id) || hasFile(it, isThere) ? it : { ...it, isAhead: true }))
}

function hasFile({ paths }: Lesson, isThere: Lookup): boolean {
  return paths.length === 0 || paths.some(it => it.startsWith('!') || isThere(it))
}
