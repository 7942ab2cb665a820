import type { Hunk } from './hunks.ts'

/** The lines that both lists of hunks add; both lead to the same text. The hunks keep the lines that they remove. */
export function commonHunks(hunks: readonly Hunk[], others: readonly Hunk[]): Hunk[] {
  const added = new Set(others.flatMap(addedLineNumbers))
  return hunks.flatMap(hunk => {
    const runs = runsOf(addedLineNumbers(hunk).filter(line => added.has(line)))
    const [first = { start: hunk.addedLine, count: 0 }, ...rest] = runs
    return [
      { ...hunk, addedLine: first.start, addedLines: first.count },
      ...rest.map(({ start, count }) => ({ ...hunk, lines: 0, addedLine: start, addedLines: count })),
    ]
  })
}

function addedLineNumbers({ addedLine, addedLines }: Hunk): number[] {
  return Array.from({ length: addedLines }, (_, n) => addedLine + n)
}

function runsOf(lines: readonly number[]): { start: number; count: number }[] {
  const runs: { start: number; count: number }[] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last && line === last.start + last.count) last.count++
    else runs.push({ start: line, count: 1 })
  }
  return runs
}
