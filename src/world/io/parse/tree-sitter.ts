import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter'
import type { SyntaxNode } from '../../../core/code/symbols/syntax-node.ts'

// What is used of it; the types of Node 20 do not have it.
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object }

/** Parses texts of one grammar. */
export type ParseText = (text: string) => SyntaxNode

/** Where the WebAssembly of tree-sitter itself is, and the folder with `tree-sitter-<grammar>.wasm`. */
export type GrammarFiles = { readonly runtime: string; readonly folder: string }

/**
 * Opens the grammars in a folder, each when it is first asked for. One parser of a grammar serves all texts, and the
 * memory that parsing may take is limited: a text that needs more throws.
 */
export async function openGrammars({
  runtime,
  folder,
}: GrammarFiles): Promise<(grammar: string) => Promise<ParseText>> {
  const wasmMemory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES_MAX })
  await Parser.init({ wasmBinary: await readFile(runtime), wasmMemory, locateFile: () => runtime })
  const opened = new Map<string, Promise<ParseText>>()
  return grammar => {
    const parse = opened.get(grammar) ?? openGrammar(join(folder, `tree-sitter-${grammar}.wasm`))
    opened.set(grammar, parse)
    return parse
  }
}

// Of 64 KiB. The largest grammar and a text of 1 MiB take about 150 MB.
const PAGES = 512
const PAGES_MAX = 8_192

async function openGrammar(file: string): Promise<ParseText> {
  const language = await Language.load(new Uint8Array(await readFile(file)))
  const parser = new Parser()
  parser.setLanguage(language)
  return text => {
    const tree = parser.parse(text)
    if (tree === null) throw new Error('The parser gave no tree.')
    return readTree(tree)
  }
}

// A cursor that is not deleted corrupts memory when it is collected, and a tree is never collected. The cursor first.
function readTree(tree: Tree): SyntaxNode {
  try {
    const cursor = tree.walk()
    try {
      return readNodes(cursor)
    } finally {
      cursor.delete()
    }
  } finally {
    tree.delete()
  }
}

// A chain of operators can be deeper than calls may be nested, so no call is nested here.
function readNodes(cursor: TreeCursor): SyntaxNode {
  const roots: SyntaxNode[] = []
  const open: SyntaxNode[][] = [roots]
  for (;;) {
    const children: SyntaxNode[] = []
    open.at(-1)!.push(nodeAt(cursor, children))
    if (cursor.gotoFirstChild()) open.push(children)
    else if (!gotoNext(cursor, open)) return roots[0]!
  }
}

function gotoNext(cursor: TreeCursor, open: SyntaxNode[][]): boolean {
  while (!cursor.gotoNextSibling()) {
    if (!cursor.gotoParent()) return false
    open.pop()
  }
  return true
}

function nodeAt(cursor: TreeCursor, children: readonly SyntaxNode[]): SyntaxNode {
  const { nodeType, nodeIsNamed, nodeIsMissing, currentFieldName, startIndex, endIndex } = cursor
  const { startPosition, endPosition } = cursor
  const isPastEnd = endPosition.column === 0 && endPosition.row > startPosition.row
  return {
    type: nodeType,
    isNamed: nodeIsNamed,
    isBroken: nodeIsMissing || nodeType === 'ERROR',
    field: currentFieldName,
    start: startIndex,
    end: endIndex,
    row: startPosition.row,
    endRow: isPastEnd ? endPosition.row - 1 : endPosition.row,
    children,
  }
}
