import { beforeAll } from 'vitest'

/** A value that is made before the tests of a file, or of a `describe`, and removed after them. */
export function fixture<T extends AsyncDisposable>(make: () => Promise<T>, timeoutMs?: number): () => T {
  let made: T | null = null
  beforeAll(async () => {
    const value = await make()
    made = value
    return () => value[Symbol.asyncDispose]()
  }, timeoutMs)
  return () => {
    if (made === null) throw new Error('A fixture exists only while tests run: read it in a test, not beside it.')
    return made
  }
}
