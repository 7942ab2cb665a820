import { beforeCut, isBlank, linesOf } from './lines.ts'

export type Cleaning = {
  readonly commentChar: string
  /** True when an editor was open: then comment lines and all below the cut line are git's, not the message's. */
  readonly edited: boolean
}

/** What git will make of a message file (latin1) when it cleans it up. */
export function cleanedMessage(message: string, { commentChar, edited }: Cleaning): string {
  const lines = linesOf(message)
  const kept = edited ? beforeCut(lines, commentChar).filter(it => !it.startsWith(commentChar)) : lines
  const text = kept.map(it => (isBlank(it) ? '\n' : `${it.replace(/[ \t\v\f\r]*\n?$/, '')}\n`)).join('')
  return text
    .replace(/^\n+/, '')
    .replace(/\n\n+$/, '\n')
    .replace(/\n{3,}/g, '\n\n')
}
