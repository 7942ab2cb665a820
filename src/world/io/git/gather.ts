import { answerFrom, type FactQuestion, type FactSource, type Gatherer } from '../../../core/git/gatherer.ts'
import type { Files } from '../files/files.ts'
import type { Git } from './git.ts'

type FactPorts = {
  readonly git: Pick<Git, 'ask' | 'tryAsk'>
  readonly files: Pick<Files, 'read' | 'readEnd' | 'modifiedAt' | 'list'>
}

/** Runs a gatherer to its end without blocking. A failure of git or the disk is thrown in the gatherer. */
export async function gather<T>({ git, files }: FactPorts, gatherer: Gatherer<T>): Promise<T> {
  const source: FactSource = {
    ask: query => git.ask(query),
    tryAsk: query => git.tryAsk(query),
    read: (path, bytesMax) => files.read(path, bytesMax),
    readEnd: async (path, bytesMax) => (await files.readEnd(path, bytesMax))?.bytes ?? null,
    list: path => files.list(path),
    exists: async path => (await files.modifiedAt(path)) !== null,
  }
  const answer = async (question: FactQuestion) => answerFrom(source, question)
  let step = gatherer.next()
  while (!step.done)
    step = await answer(step.value).then(
      it => gatherer.next(it),
      (thrown: unknown) => gatherer.throw(thrown),
    )
  return step.value
}
