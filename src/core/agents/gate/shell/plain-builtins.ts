import {
  type Arg,
  hasOption,
  type OptionForm,
  optionValues,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts'
import { assignmentEffects } from './builtins.ts'
import { type Effect, opaqueEffects } from './effect.ts'
import { whyNeeded } from './special-variables.ts'

/**
 * The effects of a shell builtin that prints the shell's state, or reads input into variables that the line names; null
 * for any other command, and with options that are not known.
 */
export function plainBuiltinEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const [form, effectsOf] = BUILTINS.get(name) ?? []
  const words = form === undefined ? null : parseArguments(args, form)
  return words && effectsOf ? effectsOf(words) : null
}

type PlainBuiltin = readonly [form: OptionForm, effects: (words: ParsedArguments) => Effect[] | null]

const prints = () => []
const printsWithoutOperands = ({ operands }: ParsedArguments) => (operands.length === 0 ? [] : null)
const printsNames = ({ operands }: ParsedArguments) => (operands.every(it => NAME.test(it.text ?? '')) ? [] : null)
const NAME = /^[A-Za-z_][\w.-]*$/

function inputEffects(words: ParsedArguments): Effect[] | null {
  const names = [...words.operands.map(it => it.text ?? ''), ...optionValues(words, 'a')]
  const areNumbers = optionValues(words, 'n', 'N', 'u', 'O', 's', 't').every(it => /^[\d.]+$/.test(it))
  if (!areNumbers || !names.every(it => /^[A-Za-z_]\w*$/.test(it))) return null
  return names.flatMap(it => assignmentEffects(it))
}

// Without a variable of its own, a program falls back to its default.
function unsetEffects({ options, operands }: ParsedArguments): Effect[] | null {
  const names = operands.map(it => it.text ?? '')
  if (!names.every(it => /^[A-Za-z_]\w*$/.test(it))) return null
  if (options.some(([it]) => it === 'f')) return []
  const why = names.map(whyNeeded).find(it => it !== null)
  return why === undefined ? [] : opaqueEffects(why)
}

// Those that change which files a glob means; others change how the rest of the line is read.
function shoptEffects({ options, operands }: ParsedArguments): Effect[] | null {
  const isGlob = operands.every(it =>
    /^(?:globstar|nullglob|dotglob|failglob|nocaseglob|nocasematch)$/.test(it.text ?? ''),
  )
  return isGlob || options.every(([it]) => it === 'p' || it === 'q') ? [] : null
}

const DECLARATION: PlainBuiltin = [
  'pxrfF',
  // With a name after `-F`, zsh computes its value.
  words => (hasOption(words, 'F') ? printsWithoutOperands(words) : hasOption(words, 'p') ? printsNames(words) : null),
]

const BUILTINS: ReadonlyMap<string, PlainBuiltin> = new Map<string, PlainBuiltin>([
  ['read', ['rsa:d:n:N:t:u:p:', inputEffects]],
  ...['mapfile', 'readarray'].map((name): [string, PlainBuiltin] => [name, ['td:n:O:s:u:', inputEffects]]),
  ['unset', ['fv', unsetEffects]],
  ['shopt', ['psuq', shoptEffects]],
  ...['declare', 'typeset', 'export', 'readonly'].map((name): [string, PlainBuiltin] => [name, DECLARATION]),
  ['alias', ['p', printsNames]],
  ['hash', ['lrt', printsNames]],
  ['help', ['dms', prints]],
  ['dirs', ['lpv', printsWithoutOperands]],
  ['caller', ['', ({ operands }) => (operands.every(it => /^\d+$/.test(it.text ?? '')) ? [] : null)]],
  ['history', ['', ({ operands }) => (operands.every(it => /^\d+$/.test(it.text ?? '')) ? [] : null)]],
  ['compgen', ['abcdefgjksuvA:', printsNames]],
])
