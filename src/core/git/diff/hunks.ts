import { createTwoFilesPatch } from 'diff'
import type { GitQuery } from '../query.ts'

/** A change: `lines` lines at `line` (1-based) are replaced by `addedLines` lines at `addedLine` of the new text. */
export type Hunk = {
  readonly line: number
  readonly lines: number
  readonly addedLine: number
  readonly addedLines: number
}

/**
 * The hunks between numbered files of two folders (`<before>/0` and `<after>/0`, and so on), from one git process, with
 * the diff algorithm that the user configured. Files without a difference have no entry.
 */
export function hunksBetween(before: string, after: string): GitQuery<Map<number, Hunk[]>> {
  return {
    args: [
      '-c',
      'core.autocrlf=false',
      '-c',
      'core.safecrlf=false',
      'diff',
      '--no-index',
      '--text',
      '--unified=0',
      '--inter-hunk-context=0',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--no-renames',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      '--',
      before,
      after,
    ],
    parse: parseHunks,
  }
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Parses `git diff --unified=0` of numbered files: reads the headers and ignores the lines. */
export function parseHunks(stdout: string): Map<number, Hunk[]> {
  const files = new Map<number, Hunk[]>()
  let current: Hunk[] = []
  let bodyLines = 0
  for (const text of stdout.split('\n')) {
    if (bodyLines > 0) {
      if (!text.startsWith('\\')) bodyLines--
      continue
    }
    const header = HEADER.exec(text)
    if (header) {
      const hunk = hunkOf(header)
      current.push(hunk)
      bodyLines = hunk.lines + hunk.addedLines
    } else if (text.startsWith('diff --git ')) {
      files.set(fileNumberIn(text), (current = []))
    }
  }
  return files
}

// Git quotes a path with unusual characters, which the folder's path may have.
function fileNumberIn(header: string): number {
  return Number(/\/(\d+)"?$/.exec(header)?.[1])
}

// Where a side has no lines, git gives the line before the gap; the hunk's position is the next line.
function hunkOf([, line, lines = '1', addedLine, addedLines = '1']: RegExpExecArray): Hunk {
  const at = (start: string | undefined, count: number): number => Number(start) + (count === 0 ? 1 : 0)
  return {
    line: at(line, Number(lines)),
    lines: Number(lines),
    addedLine: at(addedLine, Number(addedLines)),
    addedLines: Number(addedLines),
  }
}

/**
 * The hunks between two texts if every line diff finds the same: none, or a single one of which no line occurs anywhere
 * in the other text. Null when diff algorithms could differ: then git decides.
 */
export function onlyHunk(before: Buffer, after: Buffer): Hunk[] | null {
  const old = rawLines(before)
  const now = rawLines(after)
  const top = countWhile(Math.min(old.length, now.length), n => old[n] === now[n])
  const rest = Math.min(old.length, now.length) - top
  const bottom = countWhile(rest, n => old[old.length - 1 - n] === now[now.length - 1 - n])
  const lines = old.length - top - bottom
  const addedLines = now.length - top - bottom
  if (lines === 0 && addedLines === 0) return []
  if (haveInCommon(old.slice(top, top + lines), now) || haveInCommon(now.slice(top, top + addedLines), old)) return null
  return [{ line: top + 1, lines, addedLine: top + 1, addedLines }]
}

// Lines keep their endings, because a last line without one is a different line. latin1: one character for each byte.
function rawLines(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function countWhile(most: number, holds: (n: number) => boolean): number {
  let count = 0
  while (count < most && holds(count)) count++
  return count
}

function haveInCommon(some: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others)
  return some.some(it => known.has(it))
}

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

/** The difference of two texts of a file as a patch for people to read; empty without a difference. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return ''
  const from = before === '' ? '/dev/null' : `a/${path}`
  const to = `b/${path}`
  // The first line is a separator (`====`).
  return createTwoFilesPatch(from, to, before, after, '', '', { context: 3 }).split('\n').slice(1).join('\n')
}
