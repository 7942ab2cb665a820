import type { Declaration } from '../symbols/declaration.ts'

/** A declaration, and the numbers of the lines that are its own and not those of a declaration inside it. */
export type OwnedDeclaration = {
  readonly declaration: Declaration
  /** Its name after those of the declarations around it: `Account.close`. */
  readonly qualified: string
  readonly lines: readonly number[]
  /** True if other declarations stand inside it. */
  readonly isContainer: boolean
}

/** Finds the own lines of each declaration: a change of a method is not one of its class. */
export function ownLines(declarations: readonly Declaration[]): OwnedDeclaration[] {
  const ordered = declarations.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine)
  const inner = innermostRanges(ordered)
  const containers = withContainers(ordered)
  return ordered.map(it => {
    const all = Array.from({ length: it.endLine - it.startLine + 1 }, (_, n) => it.startLine + n)
    const own = all.filter(line => inner.get(line) === rangeOf(it))
    const lines = own.length === 0 ? all : own
    return { declaration: it, qualified: containers.get(it)!, lines, isContainer: lines.length < all.length }
  })
}

// The ranges come outermost first, so the last one to claim a line is the innermost.
function innermostRanges(ordered: readonly Declaration[]): ReadonlyMap<number, string> {
  const inner = new Map<number, string>()
  for (const it of ordered) for (let line = it.startLine; line <= it.endLine; line++) inner.set(line, rangeOf(it))
  return inner
}

function withContainers(ordered: readonly Declaration[]): ReadonlyMap<Declaration, string> {
  const around: { end: number; name: string; qualified: string }[] = []
  const names = new Map<Declaration, string>()
  for (const it of ordered) {
    while ((around.at(-1)?.end ?? Infinity) < it.startLine) around.pop()
    const container = around.findLast(outer => outer.name === it.container && outer.end >= it.endLine)
    const before = container?.qualified ?? it.container
    const qualified = before === null ? it.name : `${before}.${it.name}`
    names.set(it, qualified)
    around.push({ end: it.endLine, name: it.name, qualified })
  }
  return names
}

function rangeOf({ startLine, endLine }: Declaration): string {
  return `${startLine}-${endLine}`
}
