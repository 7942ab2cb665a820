import { openGrammars, type ParseText } from '../../io/parse/tree-sitter.ts'
import { packageFile } from '../../io/files/package.ts'
import { CLASS_RULES } from '../../../core/code/symbols/class-rules-by-language.ts'
import { type Classification, classifyChange } from '../../../core/code/symbols/classify/classify-change.ts'
import type { Declaration } from '../../../core/code/symbols/declaration.ts'
import { findDeclarations } from '../../../core/code/symbols/find-declarations.ts'
import { type Language, languageOf } from '../../../core/code/symbols/languages.ts'
import type { ParsedText } from '../../../core/code/symbols/syntax-node.ts'

/** What the parsing process is asked: about one text, or about a change of it. */
export type ParserQuestion =
  | { readonly type: 'declarations'; readonly path: string; readonly text: string }
  | { readonly type: 'change'; readonly path: string; readonly before: string; readonly after: string }

/** Its answer, null for a path without a grammar. */
export type ParserAnswer = {
  readonly declarations?: readonly Declaration[]
  readonly classification?: Classification
} | null

/** Answers a question of the parsing process. Only that process may call this: a parser may hang, trap or grow. */
export async function answerParserQuestion(question: ParserQuestion): Promise<ParserAnswer> {
  const language = languageOf(question.path)
  if (language === null) return null
  const parse = await parserOf(language)
  if (question.type === 'declarations')
    return { declarations: findDeclarations(parse(question.text), language.declarations) }
  const classification = classifyChange(parse(question.before), parse(question.after), CLASS_RULES[language.name])
  return { classification }
}

async function parserOf({ grammar }: Language): Promise<(text: string) => ParsedText> {
  const runtime = packageFile('dist/grammars/web-tree-sitter.wasm')
  grammars ??= openGrammars({ runtime, folder: packageFile('dist/grammars') })
  const parseText: ParseText = await (await grammars)(grammar)
  return text => ({ text, root: parseText(text) })
}

let grammars: ReturnType<typeof openGrammars> | null = null
