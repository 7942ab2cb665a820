import {
  type ArithmeticExpansionPart,
  type ArithmeticWord,
  type CommandExpansionPart,
  forEachChild,
  type ParameterExpansionPart,
  parse,
  type SimpleExpansionPart,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { printsNumber } from './known-output.ts'
import { partsWithin } from './static-text.ts'
import { isPlainWord, setsOtherwise, type Value, valuesSetIn } from './variable-values.ts'

/**
 * A line in which variables that it sets itself are replaced by what is known of their values: a plain text by itself,
 * a number by `1`, and what does not begin with a dash by a word that does not. It stands for the line in the question
 * whether the line only reads.
 */
export function withKnownValues(line: string): string {
  let result = line
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = replacedOnce(result)
    if (next === result) return result
    result = next
  }
  return result
}

// A value may have another variable in it.
const ROUNDS_MAX = 3

type Place = { readonly at: number; readonly end: number; readonly text: string }

function replacedOnce(line: string): string {
  const script = parse(line)
  if ((script.errors?.length ?? 0) > 0 || setsOtherwise(script)) return line
  const places: Place[] = []
  collectPlaces(script, {
    values: valuesSetIn(script),
    known: new Set(),
    isWhole: false,
    isNumber: false,
    isOption: false,
    line,
    places,
  })
  return places
    .sort((a, b) => b.at - a.at)
    .reduce((text, it) => text.slice(0, it.at) + it.text + text.slice(it.end), line)
}

type Walk = {
  readonly values: ReadonlyMap<string, Value>
  /** The variables that are surely set here. */
  readonly known: ReadonlySet<string>
  /** True where the shell makes one word of a value: in quotes, and in an assignment. */
  readonly isWhole: boolean
  /** True where a value is a number, or an error. */
  readonly isNumber: boolean
  /** True in a word that is an option, or may be one when the values in it are empty. */
  readonly isOption: boolean
  readonly line: string
  readonly places: Place[]
}

function collectPlaces(node: SyntaxNode, walk: Walk): void {
  switch (node.type) {
    case 'Script':
      // Such a script has positions of its own.
      if (node.source === undefined) collectInOrder(node.commands, walk)
      return
    case 'CompoundList':
      collectInOrder(node.commands, walk)
      return
    case 'AndOr':
      if (node.operators.every(it => it === '&&')) collectInOrder(node.commands, walk)
      else collectInChildren(node, walk)
      return
    case 'For':
      for (const it of node.wordlist ?? []) collectPlaces(it, walk)
      collectPlaces(node.body, { ...walk, known: new Set([...walk.known, node.name.text]) })
      return
    case 'Word':
      collectInChildren(node, { ...walk, isOption: beginsWithDash(node) })
      return
    case 'Command':
    case 'TestBinary':
      collectInChildren(node, computesNumbers(node) ? { ...walk, isNumber: true } : walk)
      return
    case 'DoubleQuoted':
    case 'Assignment':
    case 'TestCommand':
    case 'HereDocBody':
      collectInChildren(node, { ...walk, isWhole: true })
      return
    default:
      if (!replaceExpansion(node, walk)) collectInChildren(node, walkInside(node, walk))
  }
}

/** True when the node is replaced, or is a variable that has to stay. */
function replaceExpansion(node: SyntaxNode, walk: Walk): boolean {
  switch (node.type) {
    case 'SimpleExpansion':
      addPlace(node, node.text.slice(1), walk)
      return true
    case 'ParameterExpansion':
      if (/^\$\{\w+\}$/.test(node.text)) addPlace(node, node.parameter, walk)
      return /^\$\{\w+\}$/.test(node.text)
    case 'ArithmeticWord':
      return walk.known.has(node.value) && isNumeric(walk.values.get(node.value)) && replaceNode(node, '1', walk)
    case 'ArithmeticExpansion':
      return walk.isWhole && /^\$\(\([\d\s+*-]+\)\)$/.test(node.text) && replaceNode(node, '1', walk)
    case 'CommandExpansion': {
      const isNumber = walk.isNumber && !walk.isOption && node.script && printsNumber(node.script)
      return isNumber === true && replaceNode(node, '1', walk)
    }
    default:
      return false
  }
}

function walkInside(node: SyntaxNode, walk: Walk): Walk {
  if (node.type === 'ArithmeticWord') return { ...walk, isWhole: true, isNumber: true }
  return node.type === 'CommandExpansion' ? { ...walk, isWhole: false, isNumber: false, isOption: false } : walk
}

function isNumeric(value: Value | undefined): boolean {
  return value?.kind === 'number' || value?.kind === 'count'
}

/** True for a word whose first character that is known is a dash. */
function beginsWithDash({ parts = [], text }: Word): boolean {
  const known = partsWithin(parts).find(it => !EXPANSIONS.has(it.type))
  return parts.length === 0 ? text.startsWith('-') : /^['"$]*-/.test(known?.text ?? '')
}

const EXPANSIONS: ReadonlySet<string> = new Set('SimpleExpansion ParameterExpansion CommandExpansion'.split(' '))

// An empty value, and more words than one, are an error for these, or 0.
function computesNumbers(node: SyntaxNode): boolean {
  if (node.type === 'TestBinary') return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)
  return node.type === 'Command' && /^(?:exit|return|break|continue|shift|printf)$/.test(node.name?.text ?? '')
}

function collectInChildren(node: SyntaxNode, walk: Walk): void {
  forEachChild(node, child => {
    collectPlaces(child, walk)
  })
}

/** Each of them runs after the ones before it, which have set their variables. */
function collectInOrder(nodes: readonly SyntaxNode[], walk: Walk): void {
  const known = new Set(walk.known)
  for (const node of nodes) {
    collectPlaces(node, { ...walk, known })
    for (const it of namesSetBy(node)) known.add(it)
  }
}

function namesSetBy(node: SyntaxNode): string[] {
  if (node.type === 'Statement') return node.background ? [] : namesSetBy(node.command)
  if (node.type === 'AndOr') return node.commands[0] ? namesSetBy(node.commands[0]) : []
  if (node.type !== 'Command' || node.name || node.redirects.length > 0) return []
  return node.prefix.flatMap(it => (it.type === 'Assignment' ? [it.name] : []))
}

function addPlace(node: SimpleExpansionPart | ParameterExpansionPart, name: string, walk: Walk): void {
  const value = walk.known.has(name) ? walk.values.get(name) : undefined
  // In zsh it is a modifier, or an index.
  const isChanged = node.type === 'SimpleExpansion' && /[:[]/.test(walk.line.charAt(node.end))
  const text = value && !isChanged && textFor(value, name, walk)
  if (text !== undefined && text !== false) replaceNode(node, text, walk)
}

/** Replaces a node; false where its place in the line has another text, as it may in a script of its own. */
function replaceNode(node: Replaced, text: string, { line, places }: Walk): boolean {
  const source = node.type === 'ArithmeticWord' ? node.value : node.text
  const isThere = line.slice(node.pos, node.end) === source
  if (isThere) places.push({ at: node.pos, end: node.end, text })
  return isThere
}

type Replaced =
  SimpleExpansionPart | ParameterExpansionPart | ArithmeticExpansionPart | CommandExpansionPart | ArithmeticWord

/** The text in place of a variable. Outside of quotes a value may be several words, as a glob may. */
function textFor(value: Value, name: string, { isWhole, isNumber, isOption }: Walk): string | undefined {
  if (isNumber && !isOption && isNumeric(value)) return '1'
  if (isWhole && value.kind === 'text') return value.text
  if (isWhole && value.kind === 'number') return '1'
  if (isOption || value.kind === 'unknown') return undefined
  if (!isWhole) return isPlainWord(value) ? `${value.kind === 'text' ? value.text.charAt(0) : '1'}*` : undefined
  // What follows is only known when it runs.
  return `1\${${name}}`
}
