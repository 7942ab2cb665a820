import { isBlankLine, isTrailerBlock, messageLines, parseTrailerLines, type Trailer } from './parse-trailers.ts'

/** The trailers in every paragraph but the first: in a message combined from several, each part has its own block. */
export function trailersInAnyParagraph(message: string): Trailer[] {
  const [, ...others] = paragraphsOf(message)
  return others.filter(it => isTrailerBlock(it)).flatMap(it => parseTrailerLines(it))
}

/** True for a message that a program combined from several: each begins with a bullet, or git's own line says so. */
export function isCombined(message: string): boolean {
  if (message.includes('Squashed commit of the following:')) return true
  return paragraphsOf(message).filter(([first = '']) => first.startsWith('* ')).length > 1
}

/** The trailers of the last paragraphs of a message, as far as those contain only trailers and horizontal rules. */
export function trailersAtEnd(message: string): Trailer[] {
  const [, ...others] = paragraphsOf(message)
  const rest = others.slice(
    others.findLastIndex(it => !isTrailerBlock(it) && !it.every(line => /^-{3,}\s*$/.test(line))) + 1,
  )
  return rest.filter(it => isTrailerBlock(it)).flatMap(it => parseTrailerLines(it))
}

/** The paragraphs of a message, each as its lines. */
function paragraphsOf(message: string): string[][] {
  const paragraphs: string[][] = [[]]
  for (const line of messageLines(message)) {
    if (isBlankLine(line)) paragraphs.push([])
    else paragraphs.at(-1)?.push(line)
  }
  return paragraphs.filter(it => it.length > 0)
}

/** A message whose lines were commented out by git, without the comment prefix. */
export function uncommentLines(message: string, comment: string): string {
  return messageLines(message)
    .map(it => (it.startsWith(comment) ? it.slice(comment.length).replace(/^ /, '') : it))
    .join('')
}

/** The messages that `git merge --squash` indents, as they are in their commits. */
export function unindentLines(message: string): string {
  return messageLines(message)
    .map(it => it.replace(/^ {4}/, ''))
    .join('')
}
