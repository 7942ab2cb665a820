import { type Assignment, type Command, forEachChild, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { printsCommits, printsName, printsNumber } from './known-output.ts'
import { staticText } from './static-text.ts'

/**
 * What is known of a value: `text` and `number` are never empty, all others may be. A `count` is a number otherwise, a
 * `word` has no dashes and, but for the default IFS, is one word, and a `name` does not begin with a dash.
 */
export type Value =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'number' | 'count' | 'word' | 'name' | 'unknown' }

/** True for a script with a command that sets variables by their names, or runs a text as a script. */
export function setsOtherwise(node: SyntaxNode): boolean {
  if (node.type === 'Function' || node.type === 'Coproc') return true
  if (node.type === 'Redirect' && node.descriptor?.type === 'FileDescriptorVariable') return true
  if (node.type === 'Command' && setsByName(node)) return true
  return someChild(node, setsOtherwise)
}

function setsByName({ name, args }: Command): boolean {
  const words = wordsOf({ name, args })
  const own = words.find(it => it !== 'command' && it !== 'builtin' && it !== 'time')
  if (own === undefined || !SETTERS.has(own ?? '')) return own === null && words.length > 1
  return own !== 'read' || !words.slice(1).every(it => it !== null && /^-[rs]+$|^[a-z]\w*$/i.test(it))
}

function wordsOf({ name, args }: Pick<Command, 'name' | 'args'>): (string | null)[] {
  return [...(name ? [name] : []), ...args].map(it => (it.type === 'Word' ? staticText(it) : null))
}

const SETTERS: ReadonlySet<string> = new Set(
  'read mapfile readarray export declare typeset local readonly getopts unset let eval trap source .'.split(' '),
)

/** What is known of each variable that a script sets, whichever of its assignments was the last one. */
export function valuesSetIn(script: SyntaxNode): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  collectValues(script, values)
  return values
}

function collectValues(node: SyntaxNode, values: Map<string, Value>): void {
  const add = (name: string, value: Value) => {
    const before = values.get(name)
    values.set(name, before ? common(before, value) : value)
  }
  if (node.type === 'Assignment') add(node.name, assignedValue(node))
  if (node.type === 'For') add(node.name.text, listValue(node.wordlist ?? null))
  if (node.type === 'Select') add(node.name.text, UNKNOWN)
  if (node.type === 'Command') for (const it of wordsOf(node)) add(it ?? '', UNKNOWN)
  if (node.type === 'ParameterExpansion' && isAssigning(node.operation)) add(node.parameter, UNKNOWN)
  if (ARITHMETIC.has(node.type)) for (const it of computedNames(node)) add(it, UNKNOWN)
  forEachChild(node, child => {
    collectValues(child, values)
  })
}

const UNKNOWN: Value = { kind: 'unknown' }
const NUMBER: Value = { kind: 'number' }
const ARITHMETIC: ReadonlySet<string> = new Set(['ArithmeticBinary', 'ArithmeticUnary', 'ArithmeticCommand'])

function isAssigning(operation: { readonly type: string; readonly operator: string } | undefined): boolean {
  if (operation === undefined) return false
  return operation.type === 'Unknown' || (operation.type === 'Default' && operation.operator.endsWith('='))
}

// The names that such an expression may assign.
function computedNames(node: SyntaxNode): string[] {
  if (node.type === 'ArithmeticUnary') return /^(?:\+\+|--)$/.test(node.operator) ? identifiersIn(node.operand) : []
  if (node.type !== 'ArithmeticBinary' || !/^(?![<>=!]=$).*=$/.test(node.operator)) return []
  return identifiersIn(node.left)
}

function identifiersIn(node: SyntaxNode): string[] {
  return node.type === 'ArithmeticWord' ? (node.value.match(/[A-Za-z_]\w*/g) ?? []) : []
}

function assignedValue({ value, append, index }: Assignment): Value {
  if (append || index || value.type !== 'Word') return UNKNOWN
  return wordValue(value)
}

function wordValue(word: Word): Value {
  const text = staticText(word)
  if (text !== null) return /^[\w.,:@%+/-]+$/.test(text) ? textValue(text) : UNKNOWN
  if (/^(?:\$[?#]|"\$[?#]")$/.test(word.text)) return NUMBER
  const only = onlyPart(word)
  if (!only) return UNKNOWN
  if (only.type === 'ArithmeticExpansion') return NUMBER
  if (only.type !== 'CommandExpansion' || !only.script) return UNKNOWN
  if (printsNumber(only.script)) return { kind: 'count' }
  if (printsCommits(only.script)) return { kind: 'word' }
  return printsName(only.script) ? { kind: 'name' } : UNKNOWN
}

function onlyPart({ parts: [first, ...others] = [] }: Word): WordPart | null {
  if (!first || others.length > 0) return null
  return first.type !== 'DoubleQuoted' ? first : first.parts.length === 1 ? (first.parts[0] ?? null) : null
}

function textValue(text: string): Value {
  return /^(?:0|[1-9]\d*)$/.test(text) ? NUMBER : { kind: 'text', text }
}

/** What is known of each word of a list. */
function listValue(words: readonly Word[] | null): Value {
  if (words === null || words.length === 0) return UNKNOWN
  return words.map(listedValue).reduce(common)
}

function listedValue(word: Word): Value {
  if (/^\{\d+\.\.\d+\}$/.test(word.text)) return NUMBER
  const value = wordValue(word)
  if (value.kind !== 'unknown') return value.kind === 'name' ? UNKNOWN : value
  // Names that a glob finds begin as the glob does.
  const isGlob = (word.parts ?? []).every(it => it.type === 'Literal' || it.type === 'Glob')
  return isGlob && /^[\w./]/.test(word.text) ? { kind: 'name' } : UNKNOWN
}

/** What is known of a value that is one of two. */
function common(some: Value, other: Value): Value {
  if (some.kind === 'text' && other.kind === 'text' && some.text === other.text) return some
  if (some.kind === other.kind && some.kind !== 'text') return some
  if ([some, other].every(it => it.kind === 'number' || it.kind === 'count')) return { kind: 'count' }
  if ([some, other].every(isPlainWord)) return { kind: 'word' }
  return [some, other].every(it => isPlainWord(it) || beginsAsName(it)) ? { kind: 'name' } : UNKNOWN
}

/** True for a value without spaces and dashes. */
export function isPlainWord(value: Value): boolean {
  if (value.kind === 'text') return /^[\w./][\w.,:@%+/]*$/.test(value.text)
  return value.kind === 'number' || value.kind === 'count' || value.kind === 'word'
}

function beginsAsName(value: Value): boolean {
  return value.kind === 'name' || (value.kind === 'text' && /^[\w./]/.test(value.text))
}

function someChild(node: SyntaxNode, test: (child: SyntaxNode) => boolean): boolean {
  let found = false
  forEachChild(node, child => {
    found ||= test(child)
  })
  return found
}
