/** What was noticed before a moment. Some programs write all the time: who waits for more waits without end. */
type Backlog = Disposable & { isDone(): boolean }

type Open = { readonly paths: Set<string>; isIndexMoved: boolean }

/** The backlogs that somebody waits for. */
export class Backlogs {
  readonly #open = new Set<Open>()

  /** Opens a backlog of paths, and of those that the index will show when it has moved. */
  open(paths: Iterable<string>, isIndexMoved: boolean): Backlog {
    const backlog = { paths: new Set(paths), isIndexMoved }
    this.#open.add(backlog)
    return {
      isDone: () => backlog.paths.size === 0 && !backlog.isIndexMoved,
      [Symbol.dispose]: () => void this.#open.delete(backlog),
    }
  }

  /** The index was read: these paths wait to be inspected now. */
  indexRead(paths: Iterable<string>): void {
    const changed = [...paths]
    for (const it of this.#open) {
      if (!it.isIndexMoved) continue
      it.isIndexMoved = false
      for (const path of changed) it.paths.add(path)
    }
  }

  /** These paths were inspected, except some that are inspected again. */
  inspected(paths: Iterable<string>, except: ReadonlySet<string>): void {
    for (const { paths: open } of this.#open) for (const path of paths) if (!except.has(path)) open.delete(path)
  }
}
