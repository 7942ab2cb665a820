import type { PathChange } from '../../../core/git/changes.ts'
import type { Blobs } from '../../io/git/blobs.ts'
import { changeClass, type ChangeClass } from '../../../core/ledger/mutation-class.ts'
import { languageOf } from '../../../core/code/symbols/languages.ts'
import { classifyFiles, type ReadSide } from './classify-files.ts'
import { openParser, type Parser } from './parser.ts'

type Sources = { readonly parser: Parser; readonly blobs: Pick<Blobs, 'read'> }

/** The class of each change between two blobs, as records have it, in the order of the changes. */
export async function* changeClasses(
  changes: readonly PathChange[],
  { parser, blobs }: Sources,
): AsyncGenerator<readonly [path: string, found: ChangeClass]> {
  const read: ReadSide = async ({ oid }, path) => (languageOf(path) === null ? NO_BYTES : blobs.read(oid))
  for await (const { path, mutationClass, evidence } of classifyFiles(changes, { parser, read }))
    yield [path, changeClass(mutationClass, evidence)]
}

// A text of no known language has no class, whatever is in it.
const NO_BYTES = Buffer.alloc(0)

/** Classifies changes when it is asked: the parser starts with the first one, and ends when this is disposed of. */
export type ChangeClassifier = Disposable & {
  classesOf(changes: readonly PathChange[]): Promise<ReadonlyMap<string, ChangeClass>>
}

/** Opens a classifier of changes whose blobs are read from `blobs`. */
export function openChangeClassifier(blobs: Pick<Blobs, 'read'>): ChangeClassifier {
  const parser = openParser()
  return {
    async classesOf(changes) {
      const classes = new Map<string, ChangeClass>()
      for await (const [path, found] of changeClasses(changes, { parser, blobs })) classes.set(path, found)
      return classes
    },
    [Symbol.dispose]: () => parser[Symbol.dispose](),
  }
}
