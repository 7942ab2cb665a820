import { type Effect, opaqueEffects } from './effect.ts'
import type { Arg } from './word.ts'

/**
 * Programs that only read, whatever they are given; or, with a pattern, unless one of their words matches it. A word
 * that may become anything is taken for one that matches.
 */
const READERS: ReadonlyMap<string, RegExp | null> = new Map<string, RegExp | null>([
  ...alwaysReading(
    'cat tac head tail wc ls dir pwd echo true false : test [ grep egrep fgrep zgrep cut tr nl rev paste join comm',
  ),
  ...alwaysReading(
    'cmp diff stat basename dirname realpath readlink which whereis whoami id groups uname uptime ps pgrep free',
  ),
  ...alwaysReading(
    'df du printenv fold fmt expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum',
  ),
  ...alwaysReading(
    'sha512sum cksum b2sum sum seq sleep jq expr numfmt tsort nproc arch tty cal column type times umask',
  ),
  ...alwaysReading(
    'ulimit return break continue shift zcat bzcat xzcat look locale getconf lscpu pathchk base32 zipinfo',
  ),
  ...alwaysReading('hostid logname users who w getent factor yes'),
  ...readingUnless(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|files0-from)$/, 'find'),
  ...readingUnless(/^--(?:pre|hostname-bin|search-z)|^-[a-zA-Z]*z/, 'rg'),
  ...readingUnless(/^-[a-zA-Z]*[xX]|^--exec/, 'fd fdfind'),
  ...readingUnless(/^-[a-zA-Z]*[oR]|^--o/, 'tree shuf'),
  // On macOS one has an option for a file to write, and the other one runs a program.
  ...readingUnless(/^-[a-zA-Z]*o|^--o/, 'base64'),
  ...readingUnless(/./, 'arch'),
  ...readingUnless(/^-[a-zA-Z]*[oOkK]|^--(?:log|LOG|lesskey)|^\+/, 'less more'),
  ...readingUnless(/^-[a-zA-Z]*[vV]|^--/, 'printf'),
  ...readingUnless(/^-[a-zA-Z]*s|^--s/, 'date'),
  ...readingUnless(/^-[a-zA-Z]*C|^--c/, 'file'),
  // One runs a program, the other one computes an index.
  ...readingUnless(/^-[a-zA-Z]*x/, 'jobs'),
  ...readingUnless(/^-[a-zA-Z]*p/, 'wait'),
  ...readingUnless(/^-[a-zA-Z]*i|^--in|^-[a-zA-Z]*s|^--split/, 'yq'),
  ...readingUnless(/^[^-]/, 'hostname'),
  ...readingUnless(/^-[a-zA-Z]*r|^--r/, 'xxd'),
])

/** What a program does that reads; null for any other program. */
export function readerEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const limit = READERS.get(name)
  if (limit === undefined) return null
  if (limit === null) return name === 'test' || name === '[' ? testEffects(args) : []
  // It writes its second file.
  if (name === 'xxd' && args.filter(it => it.isOperand).length > 1) return opaqueEffects('xxd may write')
  const isMore = args.some(it => (it.text === null ? !it.isOperand : limit.test(it.text)))
  if (isMore && name === 'find' && beginsInGit(args))
    return [...opaqueEffects('find may write with these options'), { kind: 'switch', what: "git's own files" }]
  return isMore ? opaqueEffects(`${name} may write with these options`) : []
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
function testEffects(args: readonly Arg[]): Effect[] {
  return args.some(it => it.text === '-v' || it.text === '-R') ? opaqueEffects('it computes an index') : []
}

function alwaysReading(list: string): [string, null][] {
  return list.split(' ').map(it => [it, null])
}

function readingUnless(limit: RegExp, list: string): [string, RegExp][] {
  return list.split(' ').map(it => [it, limit])
}
