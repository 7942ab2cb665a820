import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packedKotef } from './packed-kotef.ts'

/** A program for `openParser`, with the ids of the processes that ran it, the oldest first. */
export type ParserProgram = { readonly file: string; pids(): number[]; notes(): string[] }

/** A program with this code, in which `note(text)` tells the test something at once. */
export function parserProgram(code: string): ParserProgram {
  const folder = mkdtempSync(join(tmpdir(), 'parser-'))
  const [file, log] = [join(folder, 'parser.cjs'), join(folder, 'notes')]
  const note = `const note = it => require('node:fs').appendFileSync(${JSON.stringify(log)}, it + '\\n')\n`
  writeFileSync(file, `${note}note('pid ' + process.pid)\n${code}\n`)
  const notes = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [])
  return { file, notes, pids: () => notes().flatMap(it => (it.startsWith('pid ') ? [Number(it.slice(4))] : [])) }
}

/** The parser that is in the package, and code that runs beside it. */
export function realParser(code = ''): ParserProgram {
  return parserProgram(`require(${JSON.stringify(join(packedKotef().root, 'dist/parser.cjs'))})\n${code}`)
}

/** The state of a process as Linux has it, such as R, S or Z for a zombie; null when there is no such process. */
export function processState(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .charAt(0)
  } catch {
    return null
  }
}
