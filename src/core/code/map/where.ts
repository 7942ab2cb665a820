import { compareTexts } from './map-entry.ts'
import { type AskedWord, askedWords, MATCH_NAMES, matchOf } from './words.ts'

/** What a question may be answered with: an intent, a file, a declaration or a lesson. */
export type CodePlace = {
  readonly kind: string
  /** The declaration's name, the intent's name, the lesson's text; empty for a file. */
  readonly name: string
  readonly path: string | null
  readonly line: number | null
  readonly intents: readonly string[]
}

/** Why a place is listed: a word of the question, the field that has it, the word there, and how well they match. */
export type MatchReason = { readonly word: string; readonly field: Field; readonly found: string; readonly how: string }

/** A place with its reasons. The score orders places, and means nothing else. */
export type FoundPlace = CodePlace & { readonly score: number; readonly reasons: readonly MatchReason[] }

/** The fields that are searched. */
export type Field = keyof typeof FIELD_WEIGHTS

/** How much a match in a field counts: a name says more of a place than the folder in which it is. */
const FIELD_WEIGHTS = { name: 8, container: 4, path: 3, intent: 6, description: 3, lesson: 3 } as const

/** The words of all places: for each word, the fields and numbers of the places that have it. */
export type PlaceIndex = {
  readonly words: Readonly<Record<string, Postings>>
  /** The place with this number. */
  placeAt(number: number): CodePlace
  /** The places whose matches count for a place as well, a little: its file's and its intents'. */
  around(number: number): readonly number[]
  /** The files of an intent: none of any other place. */
  filesOf(number: number): readonly number[]
}

/** For each field, the numbers of places. */
export type Postings = Partial<Readonly<Record<Field, readonly number[]>>>

/** The places for a question, the best first; equally good ones in the order of path, line and name. */
export function findPlaces(index: PlaceIndex, question: string, limit: number): FoundPlace[] {
  const asked = askedWords(question)
  const matches = asked.map(it => matchesOf(index, it))
  const own = matches.flatMap(it => [...it.keys()])
  const numbers = new Set([...own, ...own.flatMap(it => index.filesOf(it))])
  const scored = [...numbers].map(number => ({ number, ...scoreOf(index, number, matches) }))
  const best = scored.sort((a, b) => b.score - a.score).slice(0, limit + TIES_MAX)
  return best
    .map(({ number, score, reasons }) => ({ ...index.placeAt(number), score, reasons }))
    .sort(comparePlaces)
    .slice(0, limit)
}

// Of very many equally good places, which are sorted by name is not worth the time.
const TIES_MAX = 2_000

type Match = MatchReason & { readonly score: number }

/** The best match of a word for each place. */
function matchesOf({ words }: PlaceIndex, asked: AskedWord): ReadonlyMap<number, Match> {
  const best = new Map<number, Match>()
  for (const found of Object.keys(words)) {
    const grade = matchOf(asked.stem, found)
    if (grade === 0) continue
    for (const [name, numbers] of Object.entries(words[found]!)) {
      const field = name as Field
      const score = GRADE_SCORES[grade]! * FIELD_WEIGHTS[field]
      const match = { word: asked.word, field, found, how: MATCH_NAMES[grade]!, score }
      for (const number of numbers) if (score > (best.get(number)?.score ?? 0)) best.set(number, match)
    }
  }
  return best
}

// An exact word in any field is better than the begin of one, and that better than a part.
const GRADE_SCORES = [0, 1, 10, 100] as const

// Each word that a place has counts again for all of them: a place with both words is before one with either.
function scoreOf(index: PlaceIndex, number: number, matches: readonly ReadonlyMap<number, Match>[]) {
  const found = matches.flatMap(of => bestMatch(index, number, of) ?? [])
  const sum = found.reduce((total, it) => total + it.score, 0)
  const reasons = found.map(({ word, field, found: word2, how }) => ({ word, field, found: word2, how }))
  return { score: sum * found.length, reasons }
}

function bestMatch(index: PlaceIndex, number: number, matches: ReadonlyMap<number, Match>): Match | null {
  const own = matches.get(number) ?? null
  const near = index.around(number).flatMap(it => matches.get(it) ?? [])
  return near.map(it => ({ ...it, score: it.score / NEARNESS })).reduce(betterOf, own)
}

function betterOf(one: Match | null, other: Match): Match {
  return one && one.score >= other.score ? one : other
}

const NEARNESS = 4

function comparePlaces(one: FoundPlace, other: FoundPlace): number {
  return (
    other.score - one.score ||
    kindRank(one) - kindRank(other) ||
    compareTexts(one.path ?? '', other.path ?? '') ||
    (one.line ?? 0) - (other.line ?? 0) ||
    compareTexts(one.name, other.name)
  )
}

function kindRank({ kind }: CodePlace): number {
  return ['intent', 'lesson', 'file'].indexOf(kind) + 1
}
