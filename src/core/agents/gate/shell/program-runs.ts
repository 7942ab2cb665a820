import { forEachChild, parse, type SyntaxNode } from 'unbash'
import { type Arg, argOf } from './arguments.ts'
import { findExpression } from './find-program.ts'
import { innerProgram } from './inner-program.ts'

/** The words of a program that a command line runs, its name without folders; null for one that is known only then. */
export type ProgramRun = readonly (string | null)[]

/**
 * The programs that a script runs, as far as its text shows them: in each part and substitution, behind `env` and
 * other wrappers, in `sh -c` and `sh FILE`, of `npx`, of `find -exec`.
 */
export function programRuns(script: SyntaxNode): ProgramRun[] {
  const own = script.type === 'Command' && script.name ? runsOf([argOf(script.name), ...script.args.map(argOf)]) : []
  const found = [...own]
  forEachChild(script, child => {
    found.push(...programRuns(child))
  })
  return found
}

function runsOf([first, ...args]: readonly Arg[]): ProgramRun[] {
  const name = first?.text?.replace(/^.*\//, '')
  if (!name) return []
  const run = [name, ...args.map(it => it.text)]
  if (name === 'find') return [run, ...findExpression(args).commands.flatMap(it => runsOf(it.words))]
  const inner = innerProgram(name, args) ?? packageProgram(name, args) ?? scriptFile(name, args)
  if (inner?.kind === 'script') return [run, ...(inner.text === null ? [] : programRuns(parse(inner.text)))]
  return inner ? [run, ...runsOf(inner.words)] : [run]
}

/** The script that a shell is given as a file: it is run as if by its own name. */
function scriptFile(name: string, args: readonly Arg[]): Inner | null {
  if (!/^(?:(?:ba|da|z|k)?sh|source|\.)$/.test(name)) return null
  const at = args.findIndex(it => it.isOperand)
  return at === -1 ? null : { kind: 'command', words: args.slice(at) }
}

type Inner =
  | { readonly kind: 'command'; readonly words: readonly Arg[] }
  | { readonly kind: 'script'; readonly text: string | null }

/** The program that a manager of packages runs; null for any other use of it. */
function packageProgram(name: string, args: readonly Arg[]): Inner | null {
  if (/^(?:npx|bunx|pnpx|corepack)$/.test(name)) return packageCommand(args)
  const [verb, ...rest] = args
  const isRunner = /^(?:npm|pnpm|yarn|bun)$/.test(name) && /^(?:exec|x|dlx)$/.test(verb?.text ?? '')
  return isRunner ? packageCommand(rest) : null
}

function packageCommand(args: readonly Arg[]): Inner {
  const at = args.findIndex((it, n) => it.isOperand && !WITH_VALUE.test(args[n - 1]?.text ?? ''))
  const call = args.findIndex(it => /^(?:-c|--call)$/.test(it.text ?? ''))
  if (call !== -1 && (at === -1 || call < at)) return { kind: 'script', text: args[call + 1]?.text ?? null }
  const [program, ...rest] = at === -1 ? [] : args.slice(at)
  if (!program) return { kind: 'command', words: [] }
  // It may name a version: `npx npm@10 publish`.
  const text = program.text?.replace(/(?<=.)@[^@/]*$/, '') ?? null
  return { kind: 'command', words: [{ ...program, text }, ...rest] }
}

const WITH_VALUE = /^(?:-p|--package|-w|--workspace|-c|--call)$/
