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
