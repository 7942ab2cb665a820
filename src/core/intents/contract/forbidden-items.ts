import { malformation } from '../../base/globs.ts'

/** The globs that a line means; it is unread when it is meant as a path, and is none, or not surely one. */
export type ReadLine = { readonly globs: readonly string[]; readonly isUnread: boolean }

/**
 * Reads a list item: the texts in backticks at its beginning, or else all of them; without backticks, the paths up to
 * a dash, a colon or a parenthesis, which begins a reason.
 */
export function forbiddenItem(item: string): ReadLine {
  const text = item
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/^[*_]{1,2}(?=`)/, '')
    .replace(/^\[([^\][]+)\]\([^)]*\)/, '$1')
  const codes = codesIn(LEADING_CODES.exec(text)?.[0] ?? text)
  if (codes.length > 0) return readGlobs(codes)
  const end = text.search(REASON)
  const pieces = plainPieces(end === -1 ? text : text.slice(0, end))
  const { globs, isUnread } = readGlobs(pieces)
  return { globs, isUnread: isUnread || pieces.some(it => /\s/.test(it) && !NOTHING.test(it)) }
}

/** Reads any other line: all of it when it is only paths, else the paths in backticks; unread when it has others. */
export function forbiddenLine(line: string): ReadLine {
  const paths = pathsOf(line)
  if (paths.length > 0) return readGlobs(paths)
  const { globs, isUnread } = readGlobs(codesIn(line).filter(it => !/\s/.test(it) && isPath(it)))
  return { globs, isUnread: isUnread || namesPath(line.replace(/`[^`]+`/g, '')) }
}

/** The globs in a text that is only paths; none for any other text. */
export function pathsOf(text: string): readonly string[] {
  const [codes = ''] = LEADING_CODES.exec(text) ?? []
  if (codes !== '' && /^[\s,.;:]*$/.test(text.slice(codes.length))) return readGlobs(codesIn(codes)).globs
  const pieces = plainPieces(text)
  return pieces.every(it => !/[\s`]/.test(it) && PATH_LIKE.test(it)) ? readGlobs(pieces).globs : []
}

/** True for a text that has a path among its words. */
export function namesPath(text: string): boolean {
  const words = text.split(/[\s|]+/).map(it => it.replace(/^["'`(*_]+(?=[^*])/, ''))
  return words.some(isPath)
}

function isPath(text: string): boolean {
  return PATH_LIKE.test(text) && !NO_PATH.test(text)
}

const LEADING_CODES = /^`[^`]+`(?:(?:\s*,\s*(?:and |or )?|\s+(?:and|or|&)\s+)`[^`]+`)*/
const REASON = /\s(?:#|-|\u2013|\u2014)\s|:\s|\s\(/
const PATH_LIKE = /\*[./*]|[./]\*|^\.?\w[^\s/]*\/|^\.{0,2}\/\w|^\.\w/
const NO_PATH = /^(?:\w+:\/\/|and\/or|e\.g|i\.e)/i
const NOTHING = /^(?:none|nothing|n\/a|tbd|todo)\b/i

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it)
}

// A comma within braces is the glob's own. Formatters write a backslash before a star.
function plainPieces(text: string): string[] {
  return splitAtCommas(text)
    .map(it => it.trim().replace(/^["'\u201c\u2018]+|["'\u201d\u2019]+$|(?<![.\s])[.;]$/g, ''))
    .map(it => it.replace(/\\([*_`[\]#+.!-])/g, '$1'))
    .filter(it => it !== '')
}

function splitAtCommas(text: string): string[] {
  const pieces = ['']
  let depth = 0
  for (const part of text.split(/([{},])/)) {
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    if (part === ',' && depth <= 0) pieces.push('')
    else pieces.push((pieces.pop() ?? '') + part)
  }
  return pieces
}

function readGlobs(texts: readonly string[]): ReadLine {
  const globs = texts.map(forbiddenGlob).filter(it => it !== '')
  return { globs, isUnread: globs.some(it => malformation(it) !== null) }
}

/** The glob of a path that is forbidden: a folder with all below it, a file by itself. */
export function forbiddenGlob(text: string): string {
  const path = text
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '/**')
  return path === '' || /[*?{}!@+]/.test(path) ? path : `${path}/**`
}
