import { KotefError } from '../../base/failure.ts'
import { GLOB_CHARS_MAX } from '../../base/globs.ts'
import { INTENTIGNORE_PATH } from '../../base/governance-files.ts'

/**
 * The patterns of `.intentignore`, in gitignore syntax. Throws when a line is longer than any path: it can't be
 * compiled, and without it the paths that it names would be open.
 */
export function intentignoreLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  const long = lines.findIndex(it => it.length > GLOB_CHARS_MAX)
  if (long >= 0)
    throw new KotefError(
      'policy-unreadable',
      `${INTENTIGNORE_PATH}:${long + 1} is longer than ${GLOB_CHARS_MAX} characters.`,
      { hint: 'Shorten that line, or remove it.' },
    )
  return lines.filter(it => it.trim() !== '' && !it.startsWith('#'))
}
