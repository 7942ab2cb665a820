import { type Arg, optionValues, parseArguments } from './arguments.ts'
import { readsAlways } from './read-programs.ts'

/** The program that another program runs: a command, or a text as a script. */
export type InnerProgram =
  | {
      readonly kind: 'command'
      readonly words: readonly Arg[]
      /** The variables that are set in its environment. */
      readonly assigned: readonly string[]
      /** The variables that are removed from its environment. */
      readonly without: readonly string[]
      /** The folder in which it runs; `''` for the same one. */
      readonly folder: string
      /** Why it may do more than the command alone; null when it can't. */
      readonly whyOpaque: string | null
    }
  /** `isSh`: for a shell that may know less than bash. */
  | { readonly kind: 'script'; readonly text: string | null; readonly isSh: boolean }

/** The inner program of a wrapper such as `env` or `bash -c`; null for a program that runs no other. */
export function innerProgram(name: string, args: readonly Arg[]): InnerProgram | null {
  if (/^(?:ba|da|z|k)?sh$/.test(name)) return shellScript(args, /^d?a?sh$/.test(name))
  if (name === 'eval') return { kind: 'script', text: joinedText(args), isSh: false }
  if (name === 'trap')
    return args.length > 1 && args[0]?.text !== '-'
      ? { kind: 'script', text: args[0]?.text ?? null, isSh: false }
      : plainCommand([])
  if (name === 'env') return envCommand(args)
  if (name === 'xargs') return xargsCommand(args)
  if (name === 'npx' || name === 'bunx') return npxCommand(args)
  if (/^(?:sudo|doas)$/.test(name))
    return { ...plainCommand(args.slice(args.findIndex(it => it.isOperand))), whyOpaque: `it runs with ${name}` }
  if (name === 'nohup') return { ...plainCommand(args), whyOpaque: 'nohup may write nohup.out' }
  // With `-v` before the name, `command` only prints its path.
  if (name === 'command' && /^-p?[vV]$/.test(args[0]?.text ?? '')) return plainCommand([])
  const skipped = WRAPPERS.get(name)
  if (skipped === undefined) return null
  const rest = skipped(args)
  return rest ? plainCommand(rest) : { ...plainCommand([]), whyOpaque: `${name} has options that kotef does not know` }
}

function plainCommand(words: readonly Arg[]): Extract<InnerProgram, { kind: 'command' }> {
  return { kind: 'command', words, assigned: [], without: [], folder: '', whyOpaque: null }
}

const WRAPPERS: ReadonlyMap<string, (args: readonly Arg[]) => readonly Arg[] | null> = new Map([
  ['command', args => unlessOption(args)],
  ['builtin', args => unlessOption(args)],
  ['exec', args => unlessOption(args)],
  ['setsid', args => unlessOption(args)],
  ['time', args => unlessOption(args[0]?.text === '-p' ? args.slice(1) : args)],
  ['timeout', args => (/^[\d.]+[smhd]?$/.test(args[0]?.text ?? '') ? args.slice(1) : null)],
  ['nice', args => unlessOption(args[0]?.text === '-n' ? args.slice(2) : args)],
  ['stdbuf', args => unlessOption(args.slice(args.findIndex(it => it.isOperand)))],
])

function unlessOption(args: readonly Arg[]): readonly Arg[] | null {
  return args[0] && !args[0].isOperand ? null : args
}

/** The script of `sh -c`; null with options that change how the script is read. */
function shellScript(args: readonly Arg[], isSh: boolean): InnerProgram | null {
  const at = args.findIndex(it => /^-[elxu]*c$/.test(it.text ?? ''))
  const isPlain =
    at !== -1 && args.slice(0, at).every(it => /^-[elxu]+$|^--(?:noprofile|norc|login)$/.test(it.text ?? ''))
  return isPlain ? { kind: 'script', text: args[at + 1]?.text ?? null, isSh } : null
}

function joinedText(args: readonly Arg[]): string | null {
  return args.every(it => it.text !== null) ? args.map(it => it.text).join(' ') : null
}

function envCommand(args: readonly Arg[]): InnerProgram {
  const at = args.findIndex((it, i) => it.isOperand && !isAssigned(it) && !/^-[uC]$/.test(args[i - 1]?.text ?? ''))
  const before = at === -1 ? args : args.slice(0, at)
  const options = parseArguments(
    before.filter(it => !isAssigned(it)),
    'iu:C: --ignore-environment --unset= --chdir=',
  )
  const without = options ? optionValues(options, 'u', 'unset') : []
  const [folder = '', ...others] = options ? optionValues(options, 'C', 'chdir') : []
  // Without PWD a shell takes the folder that a link leads to for its own.
  const isElsewhere =
    folder !== '' || before.some(it => /^-(?:i|-ig.*)?$/.test(it.text ?? '')) || without.includes('PWD')
  return {
    ...plainCommand(at === -1 ? [] : args.slice(at)),
    assigned: before.flatMap(it => assignedName(it) ?? []),
    without,
    folder,
    whyOpaque: !options || others.length > 0 || isElsewhere ? 'env changes more than variables' : null,
  }
}

function isAssigned(arg: Arg): boolean {
  return assignedName(arg) !== null
}

function assignedName({ text, source }: Arg): string | null {
  return /^["']?([A-Za-z_]\w*)=/.exec(text ?? source)?.[1] ?? null
}

function xargsCommand(args: readonly Arg[]): InnerProgram {
  const at = args.findIndex((it, i) => it.isOperand && !/^-(?:[nILPds]|E)$/.test(args[i - 1]?.text ?? ''))
  const options = parseArguments(at === -1 ? args : args.slice(0, at), '0rtxn:I:L:P:d:E: --null')
  const words = at === -1 ? [] : args.slice(at)
  const isReader = words.length === 0 || readsAlways(words[0]?.text ?? '')
  return {
    ...plainCommand(words),
    whyOpaque: options && isReader ? null : 'xargs adds arguments that are only known when it runs',
  }
}

function npxCommand(args: readonly Arg[]): InnerProgram | null {
  const at = args.findIndex(it => it.isOperand)
  // Only kotef's own program: another package may have a program of any name, and other options may load a file.
  const isPlain = args
    .slice(0, at)
    .every(it => /^(?:-y|-q|--(?:yes|no|no-install|offline|quiet|bun))$/.test(it.text ?? ''))
  const rest = at === -1 || !isPlain ? [] : args.slice(at)
  return /^kotef(?:-watch)?$/.test(rest[0]?.text ?? '') ? plainCommand(rest) : null
}
