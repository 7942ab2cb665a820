/** Asks each time, but once for all who want an answer in one turn: it is never older than the wish for it. */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null
  return () =>
    (next ??= Promise.resolve().then(() => {
      next = null
      return ask()
    }))
}
