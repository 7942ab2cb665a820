import { ChildProgram, type ProgramLimits } from '../../io/process/child-program.ts'
import { fileOfInstalledPackage } from '../../io/files/package.ts'
import type { Classification } from '../../../core/code/symbols/classify/classify-change.ts'
import type { Declaration } from '../../../core/code/symbols/declaration.ts'
import { languageOf } from '../../../core/code/symbols/languages.ts'
import { PARSE_MS_MAX, PARSER_START_MS_MAX } from '../../../core/base/thresholds.ts'
import type { ParserAnswer, ParserQuestion } from './parser-answer.ts'

/** The declarations of a text, or why none are known. */
export type DeclarationsOfText =
  | { readonly declarations: readonly Declaration[]; readonly reason: null }
  | { readonly declarations: null; readonly reason: string }

/** A change of a file: its texts, null where there is no file. */
export type TextChange = { readonly path: string; readonly before: string | null; readonly after: string | null }

/** Parses texts in a process of its own, with limits: what a text does to the parser does nothing to the caller. */
export type Parser = Disposable & {
  declarationsOf(path: string, text: string): Promise<DeclarationsOfText>
  /** The class of a change; UNKNOWN, with the reason, where it can't be parsed. Never throws. */
  classify(change: TextChange): Promise<Classification>
}

/** The length of the longest text that is parsed: a larger one was written by a program. */
export const TEXT_CHARS_MAX = 1_048_576

const NO_GRAMMAR = 'kotef has no grammar for this kind of file'
const LIMITS: ProgramLimits = { answerMsMax: PARSE_MS_MAX, startMsMax: PARSER_START_MS_MAX, heapMiB: 512 }

/** Opens a parser. Its process starts with the first text of a language that kotef knows. */
export function openParser(options: { program?: string; limits?: Partial<ProgramLimits> } = {}): Parser {
  const { program = fileOfInstalledPackage('dist/parser.cjs') } = options
  const limits = { ...LIMITS, ...options.limits }
  const child = new ChildProgram<ParserQuestion, ParserAnswer>({ file: program }, limits)
  const ask = async (question: ParserQuestion): Promise<NonNullable<ParserAnswer> | string> => {
    const answer = await child.ask(question)
    if (answer === 'timeout') return 'the parser took too long'
    return answer === 'died' ? 'the parser failed' : (answer ?? NO_GRAMMAR)
  }
  return {
    async declarationsOf(path, text) {
      const obstacle = obstacleTo(path, [text])
      const answer = obstacle ?? (await ask({ type: 'declarations', path, text }))
      if (typeof answer === 'string') return { declarations: null, reason: answer }
      return { declarations: answer.declarations ?? [], reason: null }
    },
    async classify({ path, before, after }) {
      const obstacle = obstacleTo(path, [before ?? '', after ?? ''])
      if (obstacle !== null) return unknownClass(obstacle)
      if (before === null || after === null) return wholeFile(before === null ? 'the file is new' : 'the file is gone')
      const answer = await ask({ type: 'change', path, before, after })
      return typeof answer === 'string' ? unknownClass(answer) : (answer.classification ?? unknownClass(NO_GRAMMAR))
    },
    [Symbol.dispose]: () => child[Symbol.dispose](),
  }
}

/** Why texts are not parsed at all, or null. */
function obstacleTo(path: string, texts: readonly string[]): string | null {
  if (languageOf(path) === null) return NO_GRAMMAR
  return texts.some(it => it.length > TEXT_CHARS_MAX) ? 'it is larger than 1 MiB' : null
}

function unknownClass(reason: string): Classification {
  return { mutationClass: 'UNKNOWN', evidence: [reason] }
}

function wholeFile(reason: string): Classification {
  return { mutationClass: 'INTENT_EVOLUTION', evidence: [reason] }
}
