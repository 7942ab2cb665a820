import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from 'unbash'
import { staticText } from './static-text.ts'

/**
 * A line in which `find … -print0 | xargs -0 PROGRAM` is `find … -exec PROGRAM {} +`: with NULs between them the paths
 * stay whole, so each begins with a starting point. Otherwise a name with a space may end in an option.
 */
export function withFoundPaths(line: string): string {
  if (!line.includes('-print0')) return line
  const script = parse(line)
  const places: Place[] = []
  if ((script.errors?.length ?? 0) === 0) collectPlaces(script, line, places)
  return places.reduceRight((text, it) => text.slice(0, it.at) + it.text + text.slice(it.end), line)
}

type Place = { readonly at: number; readonly end: number; readonly text: string }

function collectPlaces(node: SyntaxNode, line: string, places: Place[]): void {
  // Such a script has positions of its own.
  if (node.type === 'Script' && node.source !== undefined) return
  if (node.type === 'Pipeline')
    node.commands.slice(1).forEach((to, n) => {
      const from = node.commands[n]
      if (from?.type === 'Command' && to.type === 'Command') places.push(...executed(from, to, line))
    })
  forEachChild(node, child => {
    collectPlaces(child, line, places)
  })
}

/** The text in place of a pipe from `find` to `xargs`; none when one of them does more than that. */
function executed(from: Command, to: Command, line: string): Place[] {
  const found = wordsOf(from)
  const given = wordsOf(to)
  const last = found?.at(-1)
  const isOption = (it: KnownWord) => OPTION_OF_XARGS.test(it.text)
  const program = given?.slice(given.findIndex((it, n) => n > 0 && !isOption(it)))
  const first = program?.[0]
  const end = program?.at(-1)
  if (!found || !given || !last || !first || !end) return []
  const isPlainFind = found[0]?.text === 'find' && last.text === '-print0' && found.slice(1, -1).every(isOfFind)
  const options = given.slice(0, given.indexOf(first)).map(it => it.text)
  const isPlainXargs = options[0] === 'xargs' && options.some(it => /^-r?0r?$|^--null$/.test(it))
  // None of these words may end what `-exec` runs, or be the place of the path.
  if (!isPlainFind || !isPlainXargs || program?.some(it => /^[+;]$|\{\}/.test(it.text))) return []
  if (to.redirects.some(isInput)) return []
  const expression = line.slice(from.pos, last.pos)
  const words = line.slice(first.pos, end.end)
  // What the redirects of both write is written either way.
  const redirects = line.slice(last.end, from.end).trimEnd() + line.slice(end.end, to.end)
  return [{ at: from.pos, end: to.end, text: `${expression}-exec ${words} {} +${redirects}` }]
}

// From it `xargs` would get other names than those which `find` prints.
function isInput({ type, operator, descriptor }: Redirection): boolean {
  const isStandard = descriptor?.type === 'FileDescriptor' && descriptor.value !== 0
  return type !== 'Redirect' || operator.startsWith('<') || (descriptor !== undefined && !isStandard)
}

type KnownWord = { readonly text: string; readonly pos: number; readonly end: number }

/** The words of a command without variables of its own, and whose redirects, if any, follow; null for any other. */
function wordsOf({ name, prefix, suffix }: Command): KnownWord[] | null {
  const count = suffix.findLastIndex(it => it.type === 'Word') + 1
  const words = [name, ...suffix.slice(0, count)]
  const known = words.map(it => (it?.type === 'Word' ? knownWord(it) : null))
  return prefix.length === 0 && known.every(it => it !== null) ? known : null
}

function knownWord(word: Word): KnownWord | null {
  const text = staticText(word)
  return text === null ? null : { text, pos: word.pos, end: word.end }
}

// Nothing else is printed.
function isOfFind({ text }: KnownWord): boolean {
  return !text.startsWith('-') || TEST_OF_FIND.test(text)
}

const TEST_OF_FIND =
  /^-(?:i?name|i?path|i?regex|type|(?:min|max)depth|size|[mac]time|[mac]min|newer|not|prune|or?|and|a|empty|[LHP]|\d+)$/
const OPTION_OF_XARGS = /^-(?:r?0r?|r|[nP]\d+)$|^--(?:null|no-run-if-empty)$/
