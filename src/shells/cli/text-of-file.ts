import { readFileSync } from 'node:fs'
import { KotefError } from '../../core/base/failure.ts'
import { systemErrorCode } from '../../world/io/files/files.ts'
import { printable } from '../../core/base/printable.ts'

/** The text of a file that a call names; `-` is standard input. */
export function textOfFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    const why = systemErrorCode(cause)
    if (why === null) throw cause
    throw new KotefError('usage', `${printable(file)} can't be read (${why}).`, { cause })
  }
}
