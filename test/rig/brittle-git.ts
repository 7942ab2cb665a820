import { KotefError } from '../../src/core/base/failure.ts'
import type { Git } from '../../src/world/io/git/git.ts'

type BrittleGit = Git & {
  /** True once the call has failed: a loop over k ends when a run got by without it. */
  hasFailed(): boolean
}

/** The given git, but its k-th call (from 1) fails: before git did anything, or after it did everything. */
export function brittleGit(git: Git, { failing, late }: { failing: number; late: boolean }): BrittleGit {
  let calls = 0
  const breaking = async <T>(verb: () => Promise<T>): Promise<T> => {
    const isLast = ++calls === failing
    if (isLast && !late) throw failureOf(calls)
    const answer = await verb()
    if (isLast) throw failureOf(failing)
    return answer
  }
  async function* streamed(...[args, given]: Parameters<Git['streamWithInput']>): AsyncIterable<Buffer> {
    const chunks = await breaking(async () => {
      const all: Buffer[] = []
      for await (const chunk of git.streamWithInput(args, given)) all.push(chunk)
      return all
    })
    yield* chunks
  }
  return {
    ask: query => breaking(() => git.ask(query)),
    tryAsk: query => breaking(() => git.tryAsk(query)).catch(() => null),
    bytes: args => breaking(() => git.bytes(args)),
    streamWithInput: streamed,
    hasFailed: () => calls >= failing,
  }
}

function failureOf(call: number): KotefError {
  return new KotefError('git-failed', `call ${call} of git fails`)
}
