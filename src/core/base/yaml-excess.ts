import { Lexer } from 'yaml'
import type { Problem } from './finding.ts'

/** Why a text is too large to be parsed as YAML; null when it is not. Parsing it could take minutes. */
export function yamlExcess(text: string): Omit<Problem, 'file'> | null {
  if (text.length > CHARS_MAX) return { line: null, expected: 'a file of at most 1 MiB', found: 'a larger one' }
  return mayBeDeep(text) || mayHaveMany(text) ? firstExcess(text) : null
}

const CHARS_MAX = 1_048_576
const DEPTH_MAX = 100
// A text of 1 MiB that only lists small intents, five thousand of them, has three quarters of it.
const TOKENS_MAX = 200_000
// Each is looked up among all anchors.
const ALIASES_MAX = 1_000

// Few texts need the lexer: each level of a block needs a column, and each other level a bracket.
function mayBeDeep(text: string): boolean {
  return /^[ ?-]{90}/m.test(text) || (text.match(/[[{]/g)?.length ?? 0) > DEPTH_MAX / 2
}

function mayHaveMany(text: string): boolean {
  return text.length > TOKENS_MAX || (text.match(/\*/g)?.length ?? 0) > ALIASES_MAX
}

/** The first place where a text is too deep or has too many parts, by its tokens. */
function firstExcess(text: string): Omit<Problem, 'file'> | null {
  let line = 1
  let column = 0
  let flow = 0
  let tokens = 0
  let aliases = 0
  const blocks: number[] = []
  for (const token of new Lexer().lex(text)) {
    if (/^[[{]$/.test(token)) flow++
    else if (/^[\]}]$/.test(token)) flow--
    else if (flow === 0 && isContent(token)) enter(blocks, column)
    tokens += weight(token)
    if (/^\*\S+$/.test(token)) aliases++
    if (flow + blocks.length > DEPTH_MAX)
      return { line, expected: `YAML of at most ${DEPTH_MAX} levels`, found: 'a deeper part' }
    if (tokens > TOKENS_MAX) return { line, expected: `YAML of at most ${TOKENS_MAX} signs and words`, found: 'more' }
    if (aliases > ALIASES_MAX) return { line, expected: `at most ${ALIASES_MAX} aliases`, found: 'more' }
    const feed = token.lastIndexOf('\n')
    line += feed === -1 ? 0 : token.split('\n').length - 1
    column = feed === -1 ? column + (isMark(token) ? 0 : token.length) : token.length - feed - 1
  }
  return null
}

// What takes the parser time: each token but spaces and the lexer's own marks, and each escape in a quoted one. An
// empty line takes half as much.
function weight(token: string): number {
  if (isMark(token) || /^\s*$/.test(token)) return token === '\n' ? 0.5 : 0
  return token.startsWith('"') ? token.split('\\').length : 1
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
