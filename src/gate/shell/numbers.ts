import { type Arg, mayBeSeveral } from './arguments.ts'
import { type Effect, opaqueEffects } from './effect.ts'

/**
 * The effects of a builtin that takes a number: zsh computes it, and runs what is in its brackets. Null for any other
 * command.
 */
export function numberBuiltinEffects(name: string, args: readonly Arg[]): Effect[] | null {
  if (!/^(?:exit|return|break|continue|shift)$/.test(name)) return null
  return args.every(isNumber) ? [] : opaqueEffects(COMPUTED)
}

/** The effects of `printf`; it may set a variable, and zsh computes the arguments that it prints as numbers. */
export function printfEffects([format, ...args]: readonly Arg[]): Effect[] {
  if (format?.isOperand === false) return opaqueEffects('printf may set a variable')
  const kinds = format?.text == null ? ['number'] : kindsIn(format.text)
  if (!kinds.includes('number')) return []
  const isOneToOne = !args.some(mayBeSeveral)
  const isSafe = (it: Arg, n: number) =>
    it.text !== null || isNumber(it) || (isOneToOne && kinds[n % kinds.length] === 'text')
  return args.every(isSafe) ? [] : opaqueEffects(COMPUTED)
}

const COMPUTED = 'zsh computes a value that is only known when it runs'

function kindsIn(format: string): ('number' | 'text')[] {
  if (/%\d+\$/.test(format)) return ['number']
  return [...format.matchAll(/%([^%a-zA-Z]*)([a-zA-Z%])/g)].flatMap(([, flags = '', letter = '']) => [
    ...Array.from(flags.matchAll(/\*/g), () => 'number' as const),
    ...(letter === '%' ? [] : [/[sbqc]/.test(letter) ? ('text' as const) : ('number' as const)]),
  ])
}

/** True for a word that is a number, whatever the variables are. */
function isNumber({ text, source }: Arg): boolean {
  if (text !== null) return /^[-+]?\d+$/.test(text)
  return /^(?:"\$(?:[?#$!]|\{(?:[?#]|#\w+)\})"|\$(?:[?#$!]|\{(?:[?#]|#\w+)\})|"?\$\(\([^()]*\)\)"?)$/.test(source)
}
