import { type Arg, parseArguments } from './arguments.ts'
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
      /** Why it may do more than the command alone; null when it can't. */
      readonly whyOpaque: string | null
    }
  | { readonly kind: 'script'; readonly text: string | null }

/** The inner program of a wrapper such as `env` or `bash -c`; null for a program that runs no other. */
export function innerProgram(name: string, args: readonly Arg[]): InnerProgram | null {
  if (/^(?:ba|da|z|k)?sh$/.test(name)) return shellScript(args)
  if (name === 'eval') return { kind: 'script', text: joinedText(args) }
  if (name === 'trap')
    return args.length > 1 && args[0]?.text !== '-' ? { kind: 'script', text: args[0]?.text ?? null } : plainCommand([])
  if (name === 'env') return envCommand(args)
  if (name === 'xargs') return xargsCommand(args)
  if (name === 'npx' || name === 'bunx') return npxCommand(args)
  if (/^(?:sudo|doas)$/.test(name))
    return { ...plainCommand(args.slice(args.findIndex(it => it.isOperand))), whyOpaque: `it runs with ${name}` }
  // With `-v` before the name, `command` only prints its path.
  if (name === 'command' && /^-p?[vV]$/.test(args[0]?.text ?? '')) return plainCommand([])
  const skipped = WRAPPERS.get(name)
  if (skipped === undefined) return null
  const rest = skipped(args)
  return rest ? plainCommand(rest) : { ...plainCommand([]), whyOpaque: `${name} has options that kotef does not know` }
}

function plainCommand(words: readonly Arg[]): Extract<InnerProgram, { kind: 'command' }> {
  return { kind: 'command', words, assigned: [], without: [], whyOpaque: null }
}

const WRAPPERS: ReadonlyMap<string, (args: readonly Arg[]) => readonly Arg[] | null> = new Map([
  ['command', args => unlessOption(args)],
  ['builtin', args => unlessOption(args)],
  ['exec', args => unlessOption(args)],
  ['nohup', args => unlessOption(args)],
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
function shellScript(args: readonly Arg[]): InnerProgram | null {
  const at = args.findIndex(it => /^-[elxu]*c$/.test(it.text ?? ''))
  const isPlain =
    at !== -1 && args.slice(0, at).every(it => /^-[elxu]+$|^--(?:noprofile|norc|login)$/.test(it.text ?? ''))
  return isPlain ? { kind: 'script', text: args[at + 1]?.text ?? null } : null
}

function joinedText(args: readonly Arg[]): string | null {
  return args.every(it => it.text !== null) ? args.map(it => it.text).join(' ') : null
}

function envCommand(args: readonly Arg[]): InnerProgram {
  const [assigned, without]: [string[], string[]] = [[], []]
  for (let i = 0; i < args.length; i++) {
    const [, name] = /^["']?([A-Za-z_]\w*)=/.exec(args[i]?.text ?? args[i]?.source ?? '') ?? []
    const text = args[i]?.text
    if (name !== undefined) assigned.push(name)
    else if (text === '-u') without.push(args[++i]?.text ?? '')
    else if (text !== '-i' && text !== '-' && text !== '--ignore-environment')
      return {
        ...plainCommand(args.slice(i)),
        assigned,
        without,
        whyOpaque: args[i]?.isOperand ? null : 'env has options that kotef does not know',
      }
  }
  return { ...plainCommand([]), assigned, without }
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
