/** A write of a file as the ledger has it: what it added, in its own lines, and what it removed, in those before it. */
export type LineWrite = {
  /** The session that wrote it; null where nobody knows it. */
  readonly session: string | null
  /** The blob after it; null for no file. */
  readonly after: string | null
  readonly added: readonly Lines[]
  readonly removed: readonly Lines[]
}

/** Consecutive lines, from the first to the last. */
export type Lines = { readonly first: number; readonly last: number }

/** Lines of the current text that a session wrote (`isInside` false), or the two lines around lines that it removed. */
export type Touch = Lines & { readonly session: string; readonly isInside: boolean }

/**
 * The lines of a text, as the last of these writes left it, that sessions touched since it was last as in HEAD. The
 * writes are those of one path, in the order of the ledger.
 */
export function touchesNow(writes: readonly LineWrite[], head: string | null): Touch[] {
  let touches: Touch[] = []
  for (const write of writes) {
    const isReset = write.after === null || write.after === head
    touches = isReset ? [] : [...touches.flatMap(it => movedTouch(it, write)), ...ownTouches(write)]
  }
  return touches
}

function ownTouches(write: LineWrite): Touch[] {
  const { session, added, removed } = write
  if (session === null) return []
  const written = added.map(it => ({ ...it, session, isInside: false }))
  const gone = removed.map(({ first, last }) => {
    return { first: lineAfter(first - 1, write), last: lineAfter(last + 1, write), session, isInside: true }
  })
  // Where other lines took the place, these say what was touched.
  return [...written, ...gone.filter(it => it.last === it.first + 1)]
}

// Lines that were all overwritten since are no longer those of the session, but it did change what is around them.
function movedTouch(touch: Touch, write: LineWrite): Touch[] {
  const [step, back] = touch.isInside ? [-1, 1] : [1, -1]
  const first = keptLine(touch.first, step, write)
  const last = keptLine(touch.last, back, write)
  if (first <= last) {
    const moved = { ...touch, first: lineAfter(first, write), last: lineAfter(last, write) }
    return touch.isInside ? [moved] : withoutAdded(moved, write)
  }
  const before = keptLine(touch.first, -1, write)
  const after = keptLine(touch.last, 1, write)
  return [{ ...touch, isInside: true, first: lineAfter(before, write), last: lineAfter(after, write) }]
}

/** The parts of a touch between lines that a write put into it: those are of the writer. */
function withoutAdded(touch: Touch, { added }: LineWrite): Touch[] {
  const parts: Touch[] = []
  let { first } = touch
  for (const it of added.toSorted((a, b) => a.first - b.first)) {
    if (it.last < first || it.first > touch.last) continue
    if (it.first > first) parts.push({ ...touch, first, last: it.first - 1 })
    first = it.last + 1
  }
  return first <= touch.last ? [...parts, { ...touch, first }] : parts
}

/** The nearest line, in one direction, that a write did not remove. */
function keptLine(line: number, step: number, { removed }: LineWrite): number {
  const around = removed.find(it => it.first <= line && line <= it.last)
  if (!around) return line
  return keptLine(step > 0 ? around.last + 1 : around.first - 1, step, { removed } as LineWrite)
}

/** The number after a write of a line that it did not remove. */
function lineAfter(line: number, { added, removed }: LineWrite): number {
  const removedBefore = removed.filter(it => it.last < line).reduce((sum, it) => sum + it.last - it.first + 1, 0)
  let number = line - removedBefore
  for (const { first, last } of added.toSorted((a, b) => a.first - b.first))
    if (first <= number) number += last - first + 1
  return number
}
