import { type Deed, opaque } from './deed.ts'
import type { Arg } from './word.ts'

/**
 * Programs that only read, whatever they are given; or, with a pattern, unless one of their words matches it. A word
 * that may become anything is taken for one that matches.
 */
const READERS: ReadonlyMap<string, RegExp | null> = new Map<string, RegExp | null>([
  ...names(
    'cat tac head tail wc ls dir pwd echo true false : test [ grep egrep fgrep zgrep cut tr nl rev paste join comm',
  ),
  ...names(
    'cmp diff stat basename dirname realpath readlink which whereis whoami id groups uname uptime ps pgrep free',
  ),
  ...names('df du printenv fold fmt expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum'),
  ...names('sha512sum cksum b2sum sum seq sleep jq expr numfmt tsort nproc arch tty cal column type times umask'),
  ...names('ulimit return break continue shift zcat bzcat xzcat look locale getconf lscpu pathchk base32 zipinfo'),
  ...names('hostid logname users who w getent factor yes'),
  ...bounded(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|files0-from)$/, 'find'),
  ...bounded(/^--(?:pre|hostname-bin|search-z)|^-[a-zA-Z]*z/, 'rg'),
  ...bounded(/^-[a-zA-Z]*[xX]|^--exec/, 'fd fdfind'),
  ...bounded(/^-[a-zA-Z]*[oR]|^--o/, 'tree shuf'),
  // On macOS one has an option for a file to write, and the other one runs a program.
  ...bounded(/^-[a-zA-Z]*o|^--o/, 'base64'),
  ...bounded(/./, 'arch'),
  ...bounded(/^-[a-zA-Z]*[oOkK]|^--(?:log|LOG|lesskey)|^\+/, 'less more'),
  ...bounded(/^-[a-zA-Z]*[vV]|^--/, 'printf'),
  ...bounded(/^-[a-zA-Z]*s|^--s/, 'date'),
  ...bounded(/^-[a-zA-Z]*C|^--c/, 'file'),
  // One runs a program, the other one computes an index.
  ...bounded(/^-[a-zA-Z]*x/, 'jobs'),
  ...bounded(/^-[a-zA-Z]*p/, 'wait'),
  ...bounded(/^-[a-zA-Z]*i|^--in|^-[a-zA-Z]*s|^--split/, 'yq'),
  ...bounded(/^[^-]/, 'hostname'),
  ...bounded(/^-[a-zA-Z]*r|^--r/, 'xxd'),
])

/** What a program does that reads; null for any other program. */
export function readerDeeds(name: string, args: readonly Arg[]): Deed[] | null {
  const limit = READERS.get(name)
  if (limit === undefined) return null
  if (limit === null) return name === 'test' || name === '[' ? testDeeds(args) : []
  // It writes its second file.
  if (name === 'xxd' && args.filter(it => it.isOperand).length > 1) return opaque('xxd may write')
  const isMore = args.some(it => (it.text === null ? !it.isOperand : limit.test(it.text)))
  if (isMore && name === 'find' && beginsInGit(args))
    return [...opaque('find may write with these options'), { does: 'switch', what: "git's own files" }]
  return isMore ? opaque(`${name} may write with these options`) : []
}

// Further on, `.git` is mostly what is left out.
function beginsInGit(args: readonly Arg[]): boolean {
  const at = args.findIndex(it => !it.isOperand || it.text === '!')
  return args.slice(0, at).some(it => /(?:^|\/)\.git(?:\/|$)/.test(it.text ?? ''))
}

/** True for a program that only reads whatever words are added to its own. */
export function readsAlways(name: string): boolean {
  return READERS.get(name) === null && !['test', '['].includes(name)
}

// To ask whether a variable is set is to compute its index.
function testDeeds(args: readonly Arg[]): Deed[] {
  return args.some(it => it.text === '-v' || it.text === '-R') ? opaque('it computes an index') : []
}

function names(list: string): [string, null][] {
  return list.split(' ').map(it => [it, null])
}

function bounded(limit: RegExp, list: string): [string, RegExp][] {
  return list.split(' ').map(it => [it, limit])
}
