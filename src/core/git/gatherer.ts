import type { GitQuery } from './query.ts'

/** One question of a gatherer: to git, where `tryAsk` allows git to fail, or to the disk. */
export type FactQuestion =
  | { readonly ask: GitQuery<unknown> }
  | { readonly tryAsk: GitQuery<unknown> }
  | { readonly read: string; readonly bytesMax?: number | undefined }
  | { readonly readEnd: string; readonly bytesMax: number }
  | { readonly exists: string }
  | { readonly list: string }

/**
 * Yields questions and returns the facts that follow from the answers. The program that runs it decides how to get the
 * answers: a git hook waits for each git process (`gatherSync`), all others don't block meanwhile
 * (`world/io/git/gather.ts`).
 */
export type Gatherer<T> = Generator<FactQuestion, T, unknown>

/** Asks git a question. Throws when git fails. */
export function* askGit<T>(query: GitQuery<T>): Gatherer<T> {
  return (yield { ask: query }) as T
}

/** Asks git a question; null when git fails. */
export function* tryAskGit<T>(query: GitQuery<T>): Gatherer<T | null> {
  return (yield { tryAsk: query }) as T | null
}

/** The bytes of a file of at most `bytesMax`, or null when there is none. Any other failure is thrown. */
export function* readBytes(path: string, bytesMax?: number): Gatherer<Buffer | null> {
  return (yield { read: path, bytesMax }) as Buffer | null
}

/** The last bytes of a file, at most so many; null when there is none. */
export function* readEnd(path: string, bytesMax: number): Gatherer<Buffer | null> {
  return (yield { readEnd: path, bytesMax }) as Buffer | null
}

/** The names in a folder; none when there is no folder. */
export function* listFolder(path: string): Gatherer<string[]> {
  return (yield { list: path }) as string[]
}

/** True when there is a file or a folder at a path. */
export function* pathExists(path: string): Gatherer<boolean> {
  return (yield { exists: path }) as boolean
}

/** Answers each kind of question; each method either answers, or throws, or does so through a promise. */
export type FactSource = {
  ask(query: GitQuery<unknown>): unknown
  tryAsk(query: GitQuery<unknown>): unknown
  read(path: string, bytesMax?: number): unknown
  readEnd(path: string, bytesMax: number): unknown
  exists(path: string): unknown
  list(path: string): unknown
}

/** Asks a source one question. */
export function answerFrom(source: FactSource, question: FactQuestion): unknown {
  if ('ask' in question) return source.ask(question.ask)
  if ('tryAsk' in question) return source.tryAsk(question.tryAsk)
  if ('list' in question) return source.list(question.list)
  if ('readEnd' in question) return source.readEnd(question.readEnd, question.bytesMax)
  return 'read' in question ? source.read(question.read, question.bytesMax) : source.exists(question.exists)
}

/** Runs a gatherer to its end with a source that answers at once. An error of the source is thrown in the gatherer. */
export function gatherSync<T>(source: FactSource, gatherer: Gatherer<T>): T {
  let step = gatherer.next()
  while (!step.done) {
    let answer: unknown
    try {
      answer = answerFrom(source, step.value)
    } catch (thrown) {
      step = gatherer.throw(thrown)
      continue
    }
    step = gatherer.next(answer)
  }
  return step.value
}
