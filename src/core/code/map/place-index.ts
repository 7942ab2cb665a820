import type { Field, CodePlace, PlaceIndex, Postings } from './where.ts'
import { qualifiedWords, wordsOf } from './words.ts'

/** An intent as it is found: by its name and description. */
export type IndexedIntent = { readonly id: string; readonly name: string; readonly description: string }

/** A file with its declarations, and the intents of each. */
export type IndexedFile = {
  readonly path: string
  readonly intents: readonly string[]
  readonly declarations: readonly (Pick<CodePlace, 'name' | 'kind' | 'intents'> & { readonly line: number })[]
}

/** The index as it is stored, in columns, which are parsed fast. Places are numbered: intents, files, declarations. */
export type StoredIndex = {
  readonly intents: readonly IndexedIntent[]
  readonly paths: readonly string[]
  /** Of each file and then of each declaration, the number of its set of intents. */
  readonly sets: readonly number[]
  readonly intentSets: readonly (readonly string[])[]
  /** Of each declaration: its name, kind, line, and the number of its file. */
  readonly names: string
  readonly kinds: string
  readonly lines: readonly number[]
  readonly files: readonly number[]
  readonly words: Readonly<Record<string, Postings>>
}

/** Makes the index of a tree. */
export function indexPlaces(intents: readonly IndexedIntent[], files: readonly IndexedFile[]): StoredIndex {
  const words = new Map<string, Partial<Record<Field, number[]>>>()
  const sets = new Map<string, number>()
  const setOf = (ids: readonly string[]) => numberOf(sets, ids.join(' '))
  const declared = files.flatMap(({ declarations }, file) => declarations.map(it => ({ ...it, file })))
  intents.forEach(({ id, name, description }, n) => {
    addWords(words, 'intent', { number: n, found: [...wordsOf(name), ...wordsOf(id)] })
    addWords(words, 'description', { number: n, found: wordsOf(description) })
  })
  files.forEach(({ path }, n) => addWords(words, 'path', { number: intents.length + n, found: wordsOf(path) }))
  declared.forEach(({ name }, n) => {
    const number = intents.length + files.length + n
    const { own, container } = qualifiedWords(name)
    addWords(words, 'name', { number, found: own })
    addWords(words, 'container', { number, found: container })
  })
  const all = [...files, ...declared].map(it => setOf(it.intents))
  return {
    intents,
    paths: files.map(it => it.path),
    sets: all,
    intentSets: [...sets.keys()].map(it => it.split(' ').filter(Boolean)),
    names: declared.map(it => it.name).join('\n'),
    kinds: declared.map(it => it.kind).join('\n'),
    lines: declared.map(it => it.line),
    files: declared.map(it => it.file),
    words: Object.fromEntries(words),
  }
}

/** Opens a stored index, with lessons added to it. */
export function openIndex(stored: StoredIndex, lessons: readonly string[]): PlaceIndex {
  const { intents, paths, intentSets, sets, files } = stored
  const names = stored.names.split('\n')
  const kinds = stored.kinds.split('\n')
  const firstFile = intents.length
  const firstDeclaration = firstFile + paths.length
  const firstLesson = firstDeclaration + stored.lines.length
  const intentNumbers = new Map(intents.map((it, n) => [it.id, n]))
  const setAt = (number: number) => intentSets[sets[number - firstFile] ?? -1] ?? []
  const intentPlace = ({ id, name }: IndexedIntent): CodePlace => ({
    kind: 'intent',
    name,
    path: null,
    line: null,
    intents: [id],
  })
  return {
    words: withLessons(stored.words, lessons, firstLesson),
    placeAt(number) {
      const at = number - firstDeclaration
      if (number < firstFile) return intentPlace(intents[number]!)
      const set = setAt(number)
      if (at < 0) return { kind: 'file', name: '', path: paths[number - firstFile]!, line: null, intents: set }
      if (number >= firstLesson)
        return { kind: 'lesson', name: lessons[number - firstLesson]!, path: null, line: null, intents: [] }
      const path = paths[files[at]!]!
      return { kind: kinds[at]!, name: names[at]!, path, line: stored.lines[at]!, intents: set }
    },
    filesOf(number) {
      const { id } = intents[number] ?? { id: null }
      const own = new Set(intentSets.flatMap((set, n) => (id !== null && set.includes(id) ? [n] : [])))
      return own.size === 0 ? [] : paths.flatMap((_, n) => (own.has(sets[n]!) ? [firstFile + n] : []))
    },
    around(number) {
      if (number < firstFile || number >= firstLesson) return []
      const own = setAt(number).flatMap(it => intentNumbers.get(it) ?? [])
      return number < firstDeclaration ? own : [firstFile + files[number - firstDeclaration]!, ...own]
    },
  }
}

type WordsOfPlace = { readonly number: number; readonly found: readonly string[] }

function addWords(
  words: Map<string, Partial<Record<Field, number[]>>>,
  field: Field,
  { number, found }: WordsOfPlace,
): void {
  for (const word of new Set(found)) {
    const postings = words.get(word) ?? {}
    words.set(word, postings)
    ;(postings[field] ??= []).push(number)
  }
}

function withLessons(
  words: StoredIndex['words'],
  lessons: readonly string[],
  first: number,
): Readonly<Record<string, Postings>> {
  const added = new Map<string, Partial<Record<Field, number[]>>>()
  lessons.forEach((it, n) => addWords(added, 'lesson', { number: first + n, found: wordsOf(it) }))
  const merged = [...added].map(([word, postings]) => [
    word,
    { ...(Object.hasOwn(words, word) ? words[word] : {}), ...postings },
  ])
  return { ...words, ...(Object.fromEntries(merged) as Record<string, Postings>) }
}

function numberOf(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key) ?? numbers.size
  numbers.set(key, known)
  return known
}
