import type { Arg } from './arguments.ts'

/** An expression of `find` without the commands that it runs, and these commands. */
export type FindExpression = { readonly rest: readonly Arg[]; readonly commands: readonly FoundCommand[] }

/** A command that runs in the folder of each file that is found, or where `find` runs. */
type FoundCommand = { readonly words: readonly Arg[]; readonly isInFolder: boolean }

/** Takes an expression of `find` apart. A command without an end stays in the rest. */
export function findExpression(args: readonly Arg[]): FindExpression {
  const [rest, commands]: [Arg[], FoundCommand[]] = [[], []]
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    const end = RUNS.test(arg?.text ?? '') ? endOfCommand(args, i) : -1
    if (arg && end === -1) rest.push(arg)
    if (end === -1) continue
    // On macOS the name after `-execdir` has no folder before it, so it may look like an option.
    const isInFolder = /dir$/.test(arg?.text ?? '')
    const form = { isPath: !isInFolder, isList: args[end]?.text === '+' }
    commands.push({ words: args.slice(i + 1, end).flatMap(it => fileNames(it, form)), isInFolder })
    i = end
  }
  return { rest, commands }
}

const RUNS = /^-(?:exec|ok)(?:dir)?$/

// A word that is only known at run time may be the end, and the next one an option of `find`.
function endOfCommand(args: readonly Arg[], from: number): number {
  const end = args.findIndex(
    (it, i) => i > from && (it.text === ';' || (it.text === '+' && args[i - 1]?.text === '{}')),
  )
  return args.slice(from, end).every(it => it.text !== null || it.isOperand) ? end : -1
}

/** A word in which `{}` stands for a path, which begins with a starting point; a list is at least two words. */
function fileNames(word: Arg, { isPath, isList }: { isPath: boolean; isList: boolean }): Arg[] {
  const at = word.text?.indexOf('{}') ?? -1
  if (at === -1) return [word]
  const path: Arg = { text: null, isOperand: at === 0 ? isPath : word.isOperand, source: word.source }
  return isList ? [path, path] : [path]
}
