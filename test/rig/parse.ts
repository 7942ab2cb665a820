// The grammars of kotef in this process.

import { join } from 'node:path'
import { openGrammars } from '../../src/world/io/parse/tree-sitter.ts'
import { languageOf } from '../../src/core/code/symbols/languages.ts'
import type { ParsedText } from '../../src/core/code/symbols/syntax-node.ts'
import { repositoryRoot } from './packed-kotef.ts'

const packages = join(repositoryRoot, 'node_modules')
const grammars = openGrammars({
  runtime: join(packages, 'web-tree-sitter/web-tree-sitter.wasm'),
  folder: join(packages, '@vscode/tree-sitter-wasm/wasm'),
})

/** Parses a text in this process, with the grammar of its path. */
export async function parseHere(path: string, text: string): Promise<ParsedText> {
  const parse = await (await grammars)(languageOf(path)!.grammar)
  return { text, root: parse(text) }
}
