import { packageFile } from '../io/files/package.ts'
import { ChildProgram } from '../io/process/child-program.ts'
import type { Declaration } from '../symbols/declaration.ts'
import { languageOf } from '../symbols/languages.ts'
import { PARSE_MS_MAX, PARSER_START_MS_MAX } from '../timing/thresholds.ts'
import type { ParserAnswer, ParserQuestion } from './parser-answer.ts'

/** The declarations of a text, or why it has none. */
export type DeclarationsOfText =
  | { readonly declarations: readonly Declaration[]; readonly reason: null }
  | { readonly declarations: null; readonly reason: string }

/** Parses texts in a process of its own, with limits: what a text does to the parser does nothing to the caller. */
export type Parser = Disposable & { declarationsOf(path: string, text: string): Promise<DeclarationsOfText> }

/** The length of the longest text that is parsed: a larger one was written by a program. */
export const TEXT_CHARS_MAX = 1_048_576

/** Opens a parser. It starts with the first text of a language that kotef knows. */
export function openParser({ program = packageFile('dist/parser.cjs') }: { program?: string } = {}): Parser {
  const limits = { answerMsMax: PARSE_MS_MAX, startMsMax: PARSER_START_MS_MAX, heapMiB: 512 }
  const child = new ChildProgram<ParserQuestion, ParserAnswer>(program, limits)
  return {
    async declarationsOf(path, text) {
      const without = (reason: string) => ({ declarations: null, reason })
      if (languageOf(path) === null) return without('kotef has no grammar for this kind of file')
      if (text.length > TEXT_CHARS_MAX) return without('it is larger than 1 MiB')
      const answer = await child.ask({ type: 'declarations', path, text })
      if (answer === 'timeout') return without('the parser took too long')
      if (answer === 'died' || answer.declarations === null) return without('the parser failed')
      return { declarations: answer.declarations, reason: null }
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  }
}
