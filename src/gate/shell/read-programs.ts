import { type Effect, opaqueEffects } from './effect.ts'
import type { Arg } from './arguments.ts'

const ALWAYS_READING = (
  'cat tac head tail wc ls dir pwd echo true false : test [ grep egrep fgrep zgrep cut tr nl rev paste join comm ' +
  'cmp diff stat basename dirname realpath readlink which whereis whoami id groups uname uptime ps pgrep free df du ' +
  'printenv fold fmt expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum ' +
  'cksum b2sum sum seq sleep jq expr numfmt tsort nproc arch tty cal column type times umask ulimit return break ' +
  'continue shift zcat bzcat xzcat look locale getconf lscpu pathchk base32 zipinfo hostid logname users who w ' +
  'getent factor yes'
).split(' ')

/**
 * Programs that only read: always (null), or unless an argument matches the pattern. An argument that is only known
 * at run time counts as a match.
 */
const READERS: ReadonlyMap<string, RegExp | null> = new Map<string, RegExp | null>([
  ...ALWAYS_READING.map((name): [string, null] => [name, null]),
  ...readingUnless(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|files0-from)$/, 'find'),
  ...readingUnless(/^--(?:pre|hostname-bin|search-z)|^-[a-zA-Z]*z/, 'rg'),
  ...readingUnless(/^-[a-zA-Z]*[xX]|^--exec/, 'fd fdfind'),
  ...readingUnless(/^-[a-zA-Z]*[oR]|^--o/, 'tree shuf'),
  // On macOS `base64 -o` writes a file, and `arch` runs a program.
  ...readingUnless(/^-[a-zA-Z]*o|^--o/, 'base64'),
  ...readingUnless(/./, 'arch'),
  ...readingUnless(/^-[a-zA-Z]*[oOkK]|^--(?:log|LOG|lesskey)|^\+/, 'less more'),
  ...readingUnless(/^-[a-zA-Z]*[vV]|^--/, 'printf'),
  ...readingUnless(/^-[a-zA-Z]*s|^--s/, 'date'),
  ...readingUnless(/^-[a-zA-Z]*C|^--c/, 'file'),
  // `jobs -x` runs a program, `wait -p` evaluates an index.
  ...readingUnless(/^-[a-zA-Z]*x/, 'jobs'),
  ...readingUnless(/^-[a-zA-Z]*p/, 'wait'),
  ...readingUnless(/^-[a-zA-Z]*i|^--in|^-[a-zA-Z]*s|^--split/, 'yq'),
  ...readingUnless(/^[^-]/, 'hostname'),
  ...readingUnless(/^-[a-zA-Z]*r|^--r/, 'xxd'),
])

/** The effects of a program that reads; null for any other program. */
export function readerEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const limit = READERS.get(name)
  if (limit === undefined) return null
  if (limit === null) return name === 'test' || name === '[' ? testEffects(args) : []
  // The second operand is the output file.
  if (name === 'xxd' && args.filter(it => it.isOperand).length > 1) return opaqueEffects('xxd may write')
  const isMore = args.some(it => (it.text === null ? !it.isOperand : limit.test(it.text)))
  if (isMore && name === 'find' && beginsInGit(args))
    return [...opaqueEffects('find may write with these options'), { kind: 'switch', what: "git's own files" }]
  return isMore ? opaqueEffects(`${name} may write with these options`) : []
}

// After the starting points, `.git` is mostly the folder to leave out.
function beginsInGit(args: readonly Arg[]): boolean {
  const at = args.findIndex(it => !it.isOperand || it.text === '!')
  return args.slice(0, at).some(it => /(?:^|\/)\.git(?:\/|$)/.test(it.text ?? ''))
}

/** True for a program that only reads, whatever its arguments are. */
export function readsAlways(name: string): boolean {
  return READERS.get(name) === null && !['test', '['].includes(name)
}

// `test -v` evaluates the index of a variable, which can run a command.
function testEffects(args: readonly Arg[]): Effect[] {
  return args.some(it => it.text === '-v' || it.text === '-R') ? opaqueEffects('it evaluates an index') : []
}

function readingUnless(limit: RegExp, list: string): [string, RegExp][] {
  return list.split(' ').map(it => [it, limit])
}
