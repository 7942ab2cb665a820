import { describe, expect, test } from 'vitest'
import {
  askGit,
  type FactSource,
  type Gatherer,
  gatherSync,
  pathExists,
  readBytes,
  readEnd,
  tryAskGit,
} from '../../../src/core/git/gatherer.ts'
import { gather } from '../../../src/world/io/git/gather.ts'

const query = (word: string) => ({ args: [word], parse: (out: string) => out.toUpperCase() })

function* everyQuestion(): Gatherer<unknown[]> {
  const reported = yield* askGit(query('told'))
  const missing = yield* tryAskGit(query('unknown'))
  const ends = [String(yield* readEnd('file', 2)), yield* readEnd('nowhere', 2)]
  const bytes = String(yield* readBytes('file'))
  return [reported, missing, bytes, ...ends, yield* pathExists('file'), yield* pathExists('nowhere')]
}

function* survivor(): Gatherer<string> {
  try {
    yield* readBytes('unreadable')
    return 'read'
  } catch (thrown) {
    return `${String(thrown)}, and then ${yield* askGit(query('told'))}`
  }
}

const source: FactSource = {
  ask: it => it.parse(it.args.join(' ')),
  tryAsk: it => (it.args.includes('unknown') ? null : it.parse(it.args.join(' '))),
  read: path => {
    if (path === 'unreadable') throw new Error('EACCES')
    return path === 'file' ? Buffer.from('text') : null
  },
  readEnd: (path, bytesMax) => (path === 'file' ? Buffer.from('text').subarray(-bytesMax) : null),
  exists: path => path === 'file',
  list: () => [],
}

// The same answers from the ports that a workspace has.
const ports = {
  git: { ask: async (it: never) => source.ask(it), tryAsk: async (it: never) => source.tryAsk(it) },
  files: {
    read: async (path: string) => source.read(path),
    readEnd: async (path: string, bytesMax: number) => {
      const bytes = source.readEnd(path, bytesMax)
      return bytes && { bytes, size: 4 }
    },
    modifiedAt: async (path: string) => (source.exists(path) ? 1 : null),
  },
} as unknown as Parameters<typeof gather>[0]

const runs: readonly (readonly [string, <T>(gatherer: Gatherer<T>) => Promise<T>])[] = [
  ['that waits for each answer', async it => gatherSync(source, it)],
  ['that does not block', it => gather(ports, it)],
]

describe.each(runs)('a run %s', (_, run) => {
  test('answers each kind of question', async () => {
    expect(await run(everyQuestion())).toEqual(['TOLD', null, 'text', 'xt', null, true, false])
  })

  test('throws what a question throws, and returns no facts', async () => {
    await expect(run(readBytes('unreadable'))).rejects.toThrow('EACCES')
  })

  test('lets the gatherer catch that, and ask again', async () => {
    expect(await run(survivor())).toBe('Error: EACCES, and then TOLD')
  })

  test('throws what the gatherer throws', async () => {
    const failing = function* (): Gatherer<never> {
      throw new Error(`no claim but ${yield* askGit(query('told'))}`)
    }
    await expect(run(failing())).rejects.toThrow('no claim but TOLD')
  })
})
