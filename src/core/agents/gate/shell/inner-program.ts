import { type Arg, hasOption, optionValues, parseArguments, parseLeadingOptions } from './arguments.ts'

/** The program that another program runs: a command, or a text as a script. */
export type InnerProgram =
  | {
      readonly kind: 'command'
      readonly words: readonly Arg[]
      /** The variables that are set in its environment, each with its whole assignment. */
      readonly assigned: readonly { readonly name: string; readonly text: string }[]
      /** The variables that are removed from its environment. */
      readonly without: readonly string[]
      /** The folder in which it runs; `''` for the same one. */
      readonly folder: string
      /** Why it may do more than the command alone; null when it can't. */
      readonly whyOpaque: string | null
    }
  /** `isSh`: for a shell that may know less than bash; `runsLater`: in the folder that the shell is in then. */
  | { readonly kind: 'script'; readonly text: string | null; readonly isSh: boolean; readonly runsLater?: boolean }

/** The inner program of a wrapper such as `env` or `bash -c`; null for a program that runs no other. */
export function innerProgram(name: string, args: readonly Arg[]): InnerProgram | null {
  if (/^(?:ba|da|z)?sh$/.test(name)) return shellScript(args, /^d?a?sh$/.test(name))
  if (name === 'eval') return { kind: 'script', text: joinedText(args), isSh: false }
  if (name === 'trap')
    return args.length > 1 && args[0]?.text !== '-'
      ? { kind: 'script', text: args[0]?.text ?? null, isSh: false, runsLater: true }
      : plainCommand([])
  if (name === 'env') return envCommand(args)
  if (name === 'xargs') return xargsCommand(args)
  if (name === 'watch') return watchedScript(args)
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
  ['timeout', args => timedCommand(args)],
  ['nice', args => unlessOption(args[0]?.text === '-n' ? args.slice(2) : args)],
  ['stdbuf', args => unlessOption(args.slice(args.findIndex(it => it.isOperand)))],
])

function timedCommand(args: readonly Arg[]): readonly Arg[] | null {
  const [duration, ...command] =
    parseLeadingOptions(args, 'k:s:v --kill-after= --signal= --foreground --preserve-status --verbose')?.rest ?? []
  return /^[\d.]+[smhd]?$/.test(duration?.text ?? '') ? command : null
}

// Its words are joined and given to a shell, again and again.
function watchedScript(args: readonly Arg[]): InnerProgram | null {
  const words = parseLeadingOptions(args, 'n:tdbegc --interval= --no-title --color --errexit --chgexit')
  return words && { kind: 'script', text: joinedText(words.rest), isSh: true }
}

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
    '0iu:C: --null --ignore-environment --unset= --chdir=',
  )
  const without = options ? optionValues(options, 'u', 'unset') : []
  const [folder = '', ...others] = options ? optionValues(options, 'C', 'chdir') : []
  // Without PWD a shell takes the folder that a link leads to for its own.
  const isElsewhere =
    folder !== '' || before.some(it => /^-(?:i|-ig.*)?$/.test(it.text ?? '')) || without.includes('PWD')
  return {
    ...plainCommand(at === -1 ? [] : args.slice(at)),
    assigned: before.flatMap(it => {
      const name = assignedName(it)
      return name === null ? [] : [{ name, text: it.text ?? it.source }]
    }),
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

const XARGS_FORM =
  '0rtxn:I:L:P:d:E:s:a: --null --no-run-if-empty --max-args= --max-procs= --delimiter= --arg-file= --verbose'

function xargsCommand(args: readonly Arg[]): InnerProgram {
  const words = parseLeadingOptions(args, XARGS_FORM)
  if (!words) return { ...plainCommand([]), whyOpaque: 'xargs has options that kotef does not know' }
  const replaced = hasOption(words, 'I') ? optionValues(words, 'I').at(-1) : undefined
  if (words.rest.length === 0) return plainCommand([])
  if (replaced === undefined || replaced === '') return plainCommand([...words.rest, INPUT, INPUT])
  const replacing = words.rest.map(it => withInput(it, replaced))
  // Of these options and `-I`, the last one wins.
  return plainCommand(hasOption(words, 'n', 'L', 'max-args') ? [...replacing, INPUT, INPUT] : replacing)
}

// What xargs adds is only known when it runs, and may look like an option.
const INPUT: Arg = { text: null, isOperand: false, source: '$' }

function withInput(word: Arg, replaced: string): Arg {
  const at = word.text?.indexOf(replaced) ?? -1
  return at === -1 ? word : { text: null, isOperand: at > 0 && word.isOperand, source: word.source }
}

function npxCommand(args: readonly Arg[]): InnerProgram | null {
  if (NPX_VERSION.test(args.map(it => it.text ?? '$').join(' '))) return plainCommand([])
  const named = withoutOwnPackage(args)
  const at = named.findIndex(it => it.isOperand)
  // Only kotef's own program: another package may have a program of any name, and other options may load a file.
  const isPlain = named
    .slice(0, at)
    .every(it => /^(?:-y|-q|--(?:yes|no|no-install|offline|quiet|bun))$/.test(it.text ?? ''))
  const rest = at === -1 || !isPlain ? [] : named.slice(at)
  return /^kotef(?:-watch)?$/.test(rest[0]?.text ?? '') ? plainCommand(rest) : null
}

/** The words without the option that names kotef's package, from which kotef's own program is run. */
function withoutOwnPackage(args: readonly Arg[]): readonly Arg[] {
  const at = args.findIndex(it => it.isOperand || /^(?:-p|--package)(?:=|$)/.test(it.text ?? ''))
  const option = args[at]?.text ?? ''
  if (/^(?:-p|--package)=kotef-watch$/.test(option)) return [...args.slice(0, at), ...args.slice(at + 1)]
  const isOwn = /^(?:-p|--package)$/.test(option) && args[at + 1]?.text === 'kotef-watch'
  return isOwn ? [...args.slice(0, at), ...args.slice(at + 2)] : args
}

// Without this option npx may download the program.
const NPX_VERSION = /^--no(?:-install)? (?:tsc|eslint|prettier|vitest|jest|vite|biome|esbuild|turbo) (?:-v|--version)$/
