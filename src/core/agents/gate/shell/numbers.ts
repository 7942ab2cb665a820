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

/** The effects of `printf`: its format may set a variable, and zsh computes the arguments that it prints as numbers. */
export function printfEffects([format, ...args]: readonly Arg[]): Effect[] {
  if (format?.isOperand === false) return opaqueEffects(SETS)
  const kinds = format === undefined ? [] : kindsIn(format.text)
  const isOneToOne = !args.some(mayBeSeveral)
  // Without an argument, no variable is named.
  if (kinds === null) return args.length === 0 && format && !mayBeSeveral(format) ? [] : opaqueEffects(SETS)
  if (!kinds.includes('number')) return []
  const isSafe = (it: Arg, n: number) => isNumber(it) || (isOneToOne && kinds[n % kinds.length] === 'text')
  return args.every(isSafe) ? [] : opaqueEffects(COMPUTED)
}

const SETS = 'printf may set a variable'
const COMPUTED = 'zsh computes a value that is only known when it runs'

/** What a format makes of its arguments; null for one that does more than print them, or may do. */
function kindsIn(format: string | null): ('number' | 'text')[] | null {
  // In zsh the percent sign may be an escape.
  if (format === null || /\\(?:[uUx]0*25|0*45)/.test(format)) return null
  const directives = [...format.matchAll(DIRECTIVE)]
  if (format.replace(DIRECTIVE, '').includes('%')) return null
  return directives.flatMap(([, width = '', letter = '']) => [
    ...Array.from(width.matchAll(/\*/g), () => 'number' as const),
    ...(letter === '' ? [] : [/[sbqc]/.test(letter) ? ('text' as const) : ('number' as const)]),
  ])
}

const DIRECTIVE = /%(?:%|([-+ 0#]*(?:\d*|\*)(?:\.(?:\d*|\*))?)([diouxXeEfFgGaAcsbq]|\([^()]*\)T))/g

/** True for a word that is a number, whatever the variables are. */
function isNumber({ text, source }: Arg): boolean {
  if (text !== null) return NUMBER.test(text)
  return /^(?:"\$(?:[?#$!]|\{(?:[?#]|#\w+)\})"|\$(?:[?#$!]|\{(?:[?#]|#\w+)\})|"?\$\(\([^()]*\)\)"?)$/.test(source)
}

// With a quote before it, a character is a number too.
const NUMBER = /^(?:[-+]?\d*(?:\.\d*)?(?:e[-+]?\d+)?|0x[\da-f]+|["'].)$/i
