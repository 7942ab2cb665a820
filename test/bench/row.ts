/** One line of a bench's table; `met` is null where there is nothing to reach. */
export type Row = {
  readonly measure: string
  readonly result: string
  readonly goal: string
  readonly met: boolean | null
}

/** How much work a bench does, and which watcher does it. */
export type Effort = {
  readonly isQuick: boolean
  /** The value of `watch.backend` in config, or null for what is there without. */
  readonly backend: string | null
}

/** Measures some rows of the table. */
export type Measure = (effort: Effort) => Promise<Row[]>

/** Rows as a table of words, each column as wide as it must be. */
export function rowTable(rows: readonly Row[]): string {
  const heads = ['measure', 'result', 'goal', '']
  const cells = [heads, ...rows.map(it => [it.measure, it.result, it.goal, goalWord(it.met)])]
  const widths = heads.map((_, column) => Math.max(...cells.map(it => it[column]?.length ?? 0)))
  const lineOf = (row: readonly string[]) => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')
  return cells.map(row => lineOf(row).trimEnd()).join('\n')
}

function goalWord(met: boolean | null): string {
  if (met === null) return ''
  return met ? 'met' : 'NOT MET'
}

/** Tells on stderr how far it has come. */
export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
