import { Lexer } from 'yaml'
import type { Problem } from '../findings/finding.ts'

/** Why a text is too large to be parsed as YAML; null when it is not. Parsing it could take minutes. */
export function yamlExcess(text: string): Omit<Problem, 'file'> | null {
  if (text.length > CHARS_MAX) return { line: null, expected: 'a file of at most 1 MiB', found: 'a larger one' }
  const deep = mayBeDeep(text) ? tooDeepAt(text) : null
  return deep === null ? null : { line: deep, expected: `YAML of at most ${DEPTH_MAX} levels`, found: 'a deeper part' }
}

const CHARS_MAX = 1_048_576
const DEPTH_MAX = 100

// Few texts need the lexer: each level of a block needs a column, and each other level a bracket.
function mayBeDeep(text: string): boolean {
  return /^[ ?-]{90}/m.test(text) || (text.match(/[[{]/g)?.length ?? 0) > DEPTH_MAX / 2
}

/** The line where a text is too deep, by its tokens: those that open a part and are not closed. */
function tooDeepAt(text: string): number | null {
  let [line, column, flow] = [1, 0, 0]
  const blocks: number[] = []
  for (const token of new Lexer().lex(text)) {
    if (/^[[{]$/.test(token)) flow++
    else if (/^[\]}]$/.test(token)) flow--
    else if (flow === 0 && isContent(token)) enter(blocks, column)
    if (flow + blocks.length > DEPTH_MAX) return line
    const feed = token.lastIndexOf('\n')
    line += feed === -1 ? 0 : token.split('\n').length - 1
    column = feed === -1 ? column + (isMark(token) ? 0 : token.length) : token.length - feed - 1
  }
  return null
}

// Spaces, comments and the lexer's own marks have no level.
function isContent(token: string): boolean {
  return !/^(?:[\s#:,!&\ufeff]|$)/.test(token) && !isMark(token)
}

function isMark(token: string): boolean {
  return token.length === 1 && '\u0002\u0018\u001f'.includes(token)
}

function enter(blocks: number[], column: number): void {
  while ((blocks.at(-1) ?? -1) >= column) blocks.pop()
  blocks.push(column)
}
