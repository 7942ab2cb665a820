import { type Effect, opaqueEffects } from './effect.ts'
import { type Arg, mayBeSeveral, parseArguments, parseLeadingOptions } from './arguments.ts'
import { numberBuiltinEffects, printfEffects } from './numbers.ts'
import { READING_FORMS } from './reading-forms.ts'
import { readsPackages } from './tool-queries.ts'

const ALWAYS_READING = (
  'cat tac head tail wc ls dir pwd echo true false : test [ grep egrep fgrep zgrep cut tr nl rev paste join comm ' +
  'cmp diff stat basename dirname realpath readlink which whereis whoami id groups uname uptime ps pgrep free df du ' +
  'printenv fold fmt expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum ' +
  'cksum b2sum sum seq sleep jq expr numfmt tsort nproc arch tty cal column type times umask ulimit ' +
  'zcat bzcat xzcat look locale getconf lscpu pathchk base32 zipinfo hostid logname users who w ' +
  'factor yes'
).split(' ')

/**
 * Programs that only read: always (null), or unless an argument matches the pattern. An argument that is only known
 * at run time counts as a match.
 */
const READERS: ReadonlyMap<string, RegExp | null> = new Map<string, RegExp | null>([
  ...ALWAYS_READING.map((name): [string, null] => [name, null]),
  ...readingUnless(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|files0-from)$/, 'find'),
  ...readingUnless(/^--(?:pre|hostname-bin|search-z)|^-[abcFhHiIlLnNoPpqsSUuvVwx0.]*z/, 'rg'),
  ...readingUnless(/^-[HIuUsiagFLpl0q1vV]*[xX]|^--exec/, 'fd fdfind'),
  ...readingUnless(/^-[a-zA-Z]*[oR]|^--o/, 'tree shuf'),
  // On macOS `base64 -o` writes a file, and `arch` runs a program.
  ...readingUnless(/^-[a-zA-Z]*o|^--o/, 'base64'),
  ...readingUnless(/./, 'arch'),
  ...readingUnless(
    /^-(?!(?:[acdefiIjJmMnNqQrRsSwWxXEFGg]|\d)+$)(?!-(?:RAW|raw|quit|no-init|chop|LINE)[\w-]*$)|^\+(?![FG]$|\d+[gG]?$)/,
    'less more',
  ),
  ...readingUnless(/^-[a-zA-Z]*C|^--c/, 'file'),
  ...readingUnless(/=|^-(?![aAnNeqb]+$)/, 'sysctl'),
  // The name of a service is a part of the path of a library.
  ...readingUnless(/^-[a-zA-Z]*s|^--s/, 'getent'),
  // `jobs -x` runs a program, `wait -p` evaluates an index.
  ...readingUnless(/^-[a-zA-Z]*x/, 'jobs'),
  ...readingUnless(/^-[a-zA-Z]*p/, 'wait'),
  ...readingUnless(/^-[a-hj-nqrt-zA-HJ-Z\d]*[is]|^--(?:in|split)/, 'yq'),
  ...readingUnless(/^(?!-(?:[sfdiAI]+|-(?:short|fqdn|long|domain|ip-address|all-\w+-\w+))$)/, 'hostname'),
])

/** The effects of a program that reads; null for any other program. */
export function readerEffects(name: string, args: readonly Arg[]): Effect[] | null {
  if (name === 'printf') return printfEffects(args)
  const limit = READERS.get(name)
  if (limit === undefined) return numberBuiltinEffects(name, args) ?? formedReaderEffects(name, args)
  if (limit === null) return name === 'test' || name === '[' ? testEffects(args) : []
  const isMore = args.some(it => (it.text === null && !it.isOperand) || limit.test(it.text ?? 'operand'))
  if (isMore && name === 'find' && beginsInGit(args))
    return [...opaqueEffects('find may write with these options'), { kind: 'switch', what: "git's own files" }]
  return isMore ? opaqueEffects(`${name} may write with these options`) : []
}

// After the starting points, `.git` is mostly the folder to leave out.
function beginsInGit(args: readonly Arg[]): boolean {
  const at = args.findIndex(it => !it.isOperand || it.text === '!')
  return args.slice(0, at).some(it => /(?:^|\/)\.git(?:\/|$)/.test(it.text ?? ''))
}

// `test -v` evaluates the index of a variable, which can run a command. A word that is only known at run time may be
// such an option when another word follows, and several words when it has no quotes. In zsh the descriptor of `-t` is
// computed, and may set a variable.
function testEffects(args: readonly Arg[]): Effect[] {
  const evaluates = args.some(({ text, isOperand, source }, i) => {
    if (text === '-t') return !/^\d+$|^\]$/.test(args[i + 1]?.text ?? (args[i + 1] ? '' : '1'))
    if (text !== null || isOperand) return text === '-v' || text === '-R'
    return (
      !/^(?:"|\$[?#!$]$|\$\{#\w+\}$)/.test(source) || MAY_BE_INDEX.test(args[i + 1]?.text ?? args[i + 1]?.source ?? '')
    )
  })
  return evaluates ? opaqueEffects('it evaluates an index') : []
}

const MAY_BE_INDEX = /[[$*?`].|^\w+[-+*/%&|^<>]*=/

/** The effects of a program whose options that read are known, by the longest name of its sub-command. */
function formedReaderEffects(name: string, words: readonly Arg[]): Effect[] | null {
  if (/^python3?$/.test(name) && words[0]?.text === '-m') return moduleReaderEffects(name, words)
  const args = /^(?:kubectl|helm)$/.test(name) ? (parseLeadingOptions(words, CLUSTER_FORM)?.rest ?? words) : words
  const names = [name]
  for (const it of args.slice(0, SUBCOMMAND_WORDS_MAX)) names.push(`${names.at(-1)} ${it.text ?? '$'}`)
  const count = names.findLastIndex(it => READING_FORMS.has(it))
  const known = READING_FORMS.get(names[count] ?? '')
  if (!known) return null
  const parsed = parseArguments(args.slice(count), known.form)
  const isHidden = parsed?.options.some(([, value]) => value !== null && /^-./.test(value))
  const isCounted = known.operandsMax === Infinity || parsed?.operands.some(mayBeSeveral) !== true
  // From such a file nm reads more options, one of which loads a library.
  const isResponse = name === 'nm' && parsed?.operands.some(it => it.text?.startsWith('@')) === true
  const isPlain = !isHidden && isCounted && !isResponse
  const reads = parsed && isPlain && parsed.operands.length <= known.operandsMax
  return reads ? [] : opaqueEffects(`${name} may write with these options`)
}

// Without `-I`, Python takes its own modules from the working folder, where there are some of their names.
function moduleReaderEffects(name: string, words: readonly Arg[]): Effect[] | null {
  const load: Effect = { kind: 'load', what: 'modules of Python', path: '' }
  if (words[1]?.text === 'pip') return readsPackages('pip', words.slice(2)) ? [load] : null
  const isolated = formedReaderEffects(name, [{ text: '-I', isOperand: false, source: '-I' }, ...words])
  return isolated && [load, ...isolated]
}

// These come before the sub-command too.
const CLUSTER_FORM = 'n: --namespace= --context= --kube-context='
const SUBCOMMAND_WORDS_MAX = 3

function readingUnless(limit: RegExp, list: string): [string, RegExp][] {
  return list.split(' ').map(it => [it, limit])
}
