import { openGrammars, type ParseText } from '../io/parse/tree-sitter.ts'
import { packageFile } from '../io/files/package.ts'
import type { Declaration } from '../symbols/declaration.ts'
import { findDeclarations } from '../symbols/find-declarations.ts'
import { type Language, languageOf } from '../symbols/languages.ts'
import type { SyntaxNode } from '../symbols/syntax-node.ts'

/** What the parsing process is asked: about one text, or about a change of it. */
export type ParserQuestion = { readonly type: 'declarations'; readonly path: string; readonly text: string }

/** Its answer. Declarations are null where the text can't be parsed. */
export type ParserAnswer = { readonly declarations: readonly Declaration[] | null }

/** Answers a question of the parsing process. Only that process may call this: a parser may hang, trap or grow. */
export async function answerParserQuestion(question: ParserQuestion): Promise<ParserAnswer> {
  const language = languageOf(question.path)
  if (language === null) return { declarations: null }
  const { text } = question
  const root = await parse(language, text)
  return { declarations: root && findDeclarations({ text, root }, language.declarations) }
}

async function parse({ grammar }: Language, text: string): Promise<SyntaxNode | null> {
  grammars ??= openGrammars({
    runtime: packageFile('dist/grammars/web-tree-sitter.wasm'),
    folder: packageFile('dist/grammars'),
  })
  const parseText: ParseText = await (await grammars)(grammar)
  return parseText(text)
}

let grammars: ReturnType<typeof openGrammars> | null = null
