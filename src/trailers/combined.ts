import { isBlank, linesOf } from './lines.ts'
import { isBlock, type Trailer, trailersIn } from './read.ts'

/** The trailers in any paragraph but the first: in a message that was put together of several, each has its own. */
export function trailersAnywhere(message: string): Trailer[] {
  const paragraphs: string[][] = [[]]
  for (const line of linesOf(message)) {
    if (isBlank(line)) paragraphs.push([])
    else paragraphs.at(-1)?.push(line)
  }
  const [, ...others] = paragraphs.filter(it => it.length > 0)
  return others.filter(it => isBlock(it)).flatMap(it => trailersIn(it))
}

/** A message with the lines that git made comments of as they were before. */
export function uncommented(message: string, comment: string): string {
  return linesOf(message)
    .map(it => (it.startsWith(comment) ? it.slice(comment.length).replace(/^ /, '') : it))
    .join('')
}

/** The messages that `git merge --squash` shows indented, as they are in their commits. */
export function unindented(message: string): string {
  return linesOf(message)
    .map(it => it.replace(/^ {4}/, ''))
    .join('')
}
