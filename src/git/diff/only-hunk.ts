import type { Hunk } from './hunks.ts'

/**
 * The hunks between two texts if every line diff finds the same: none, or a single one of which no line occurs anywhere
 * in the other text. Null when diff algorithms could differ: then git decides.
 */
export function onlyHunk(before: Buffer, after: Buffer): Hunk[] | null {
  const [old, now] = [rawLines(before), rawLines(after)]
  const top = countWhile(Math.min(old.length, now.length), n => old[n] === now[n])
  const rest = Math.min(old.length, now.length) - top
  const bottom = countWhile(rest, n => old[old.length - 1 - n] === now[now.length - 1 - n])
  const [lines, addedLines] = [old.length - top - bottom, now.length - top - bottom]
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
