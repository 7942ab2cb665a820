import { type LineKind, paintLine } from './paint-line.ts'
import { wrapLine } from './wrap-line.ts'

/** A terminal: the number of its columns, if it is known, and the environment of the process that writes to it. */
export type Terminal = {
  readonly columns: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * A text as a terminal shows it. Colours are added to the words of any kind; sentences are wrapped as well, and lists
 * are not, because their columns would break. Control characters have to be escaped before.
 */
export function terminalText(text: string, kind: LineKind, { columns = 0, env }: Terminal): string {
  const isColoured = hasColours(env)
  const isWrapped = kind === 'verdict' && columns >= COLUMNS_MIN
  return text
    .split('\n')
    .map(it => (isColoured ? paintLine(it, kind) : it))
    .map(it => (isWrapped ? wrapLine(it, columns) : it))
    .join('\n')
}

// A terminal that names fewer has not been asked, or nothing can be read there.
const COLUMNS_MIN = 20

/** The conventions of Node: FORCE_COLOR wins over the others, and `0` means none. */
function hasColours({ FORCE_COLOR, NO_COLOR, TERM }: Terminal['env']): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && TERM !== 'dumb'
}
