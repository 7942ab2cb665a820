import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program with some of its options, each with its values, and some operands that only it takes. */
export type ProgramRow = {
  readonly name: string
  readonly options: readonly (readonly string[])[]
  readonly operands: readonly string[]
}

/** The programs of everyday work, those that write among them. */
export const PROGRAM_ROWS = programRows('programs.txt')

/** The sub-commands of git. */
export const GIT_ROWS = programRows('git-commands.txt')

/** The shapes of a command line. */
export const SHAPES: readonly string[] = readLines('shapes.txt')

/** The pieces of scripts of sed and awk. */
export const SED_PIECES: readonly string[] = readLines('sed-pieces.txt')
export const AWK_PIECES: readonly string[] = readLines('awk-pieces.txt')

/** A line has a name and options, each separated by two spaces; lines `>` after it have operands. */
function programRows(file: string): ProgramRow[] {
  const rows: ProgramRow[] = []
  for (const line of readLines(file)) {
    const [, name = '', rest = ''] = /^(\s*>|[^:]*:) ?(.*)$/s.exec(line) ?? []
    const items = rest.split('  ').filter(it => it !== '')
    const before = name.endsWith('>') ? rows.pop() : undefined
    if (before) rows.push({ ...before, operands: [...before.operands, ...items] })
    else rows.push({ name: name.slice(0, -1), options: items.map(it => it.split(' ')), operands: [] })
  }
  return rows
}

/** The lines of a file of this folder; `⏎` and `⇥` stand for a newline and a tab within one. */
function readLines(file: string): string[] {
  const lines = readFileSync(join('test/fuzz', file), 'utf8').split('\n')
  return lines.filter(it => it !== '' && !it.startsWith('//')).map(it => it.replaceAll('⏎', '\n').replaceAll('⇥', '\t'))
}
