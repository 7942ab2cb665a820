import micromatch from 'micromatch'
import { alternativesIn, ALTERNATIVES_MAX } from './brace-alternatives.ts'
import { foldedPath } from './folded-path.ts'

/** True when a canonical path matches. */
export type PathTest = (path: string) => boolean

/** How a list of globs decides about a path, and by which pattern; null when no pattern matches. */
export type GlobVerdict = { readonly kind: 'in' | 'out'; readonly by: string } | null

/**
 * Compiles one glob of kotef's dialect: micromatch with `dot`, case-sensitive, `**` as zero or more segments, and `*`
 * never crossing a `/`. It differs from micromatch where micromatch would surprise in a list of paths:
 *
 * - parentheses are literal, so `app/(auth)/**` means that directory; alternatives are `{a,b}` or `@(a|b)`
 * - brackets are literal, so `app/[id]/**` and `[...slug]` mean those directories; only pure ranges such as `[0-9]` or
 *   `[a-zA-Z_]` are classes
 * - braces are expanded first, ranges such as `{1..12}` included
 * - a leading `./` is dropped, and a newline in a path is a character like any other
 *
 * Pattern and path are compared as Unicode NFC. A malformed pattern matches nothing: `malformation` says why.
 */
export function globTest(pattern: string): PathTest {
  if (malformation(pattern) !== null) return () => false
  const forms = braceAlternatives(pattern).map(formTest)
  return path => forms.some(test => test(path))
}

// Compiling a glob is slow, and most paths don't begin as it does. `a/**` also matches `a`.
function formTest(glob: string): PathTest {
  const [beginning, rest] = splitAtFirst(glob)
  // Nearly every glob has one of these two forms. micromatch treats quotes specially.
  const isPlain = beginning !== '' && !/["']/.test(beginning)
  if (isPlain && rest === '') return path => path === beginning
  if (isPlain && rest === '/**') return path => path === beginning || path.startsWith(`${beginning}/`)
  const [anywhere, name = '', below] = /^\*\*\/([^*?+@!|()[\]{}\\"']+?)(\/\*\*)?$/.exec(glob) ?? []
  if (anywhere !== undefined)
    return below ? path => `/${path}/`.includes(`/${name}/`) : path => `/${path}`.endsWith(`/${name}`)
  let regex: RegExp | null = null
  return path => path.startsWith(beginning) && (regex ??= regexOf(glob)).test(path)
}

// Splits at the last slash before the first special character.
function splitAtFirst(glob: string): [beginning: string, rest: string] {
  const beginning = /^[^*?+@!|()[\]{}\\]*?(?=\/?(?:[*?+@!|()[\]{}\\]|$))/.exec(glob)?.[0] ?? ''
  return [beginning, glob.slice(beginning.length)]
}

/** Compiles a list of globs: a path is in when a glob matches it and no `!` glob does. */
export function globList(patterns: readonly string[]): (path: string) => GlobVerdict {
  const compiled = patterns.map(by => ({ by, out: by.startsWith('!'), test: globTest(positiveOf(by)) }))
  const ins = compiled.filter(it => !it.out)
  const outs = compiled.filter(it => it.out)
  return path => {
    const taken = ins.find(it => it.test(path))
    if (!taken) return null
    const excluded = outs.find(it => it.test(path))
    return excluded ? { kind: 'out', by: excluded.by } : { kind: 'in', by: taken.by }
  }
}

/**
 * Compiles a list of globs that close paths to somebody. A path is in as well when its name is that of a matching one
 * to a file system without case: then both can be one file. An exception counts only for its exact spelling.
 */
export function closingList(patterns: readonly string[]): (path: string) => GlobVerdict {
  const exact = globList(patterns)
  const folded = patterns.filter(it => !it.startsWith('!')).map(by => ({ by, test: globTest(foldedPath(by)) }))
  return path => {
    const found = exact(path)
    if (found) return found
    const name = foldedPath(path)
    const taken = folded.find(it => it.test(name))
    return taken ? { kind: 'in', by: taken.by } : null
  }
}

/** Compiles globs to exclude: true for a path that none of them matches, neither as a file nor as a directory. */
export function matchesNone(patterns: readonly string[]): PathTest {
  const tests = patterns.map(globTest)
  return path => !tests.some(it => it(path) || it(`${path}/`))
}

/** The expected form of a malformed pattern, which completes the sentence "expected …"; null for a valid one. */
export function malformation(pattern: string): string | null {
  const glob = positiveOf(pattern)
  if (glob.trim() === '' || glob.startsWith('!')) return 'a glob with at most one leading `!`'
  if (glob.length > GLOB_CHARS_MAX) return `a glob of at most ${GLOB_CHARS_MAX} characters`
  if (glob !== glob.trim()) return `a glob without a space around it: \`${pattern.replace(/^!\s+/, '!').trim()}\``
  // Compiling a Unicode class takes a millisecond, and most globs are ASCII.
  if (!/^[ -~]*$/.test(glob) && UNPRINTABLE.test(glob)) return 'a glob of printable characters'
  if (glob.includes('\\') && /\\[\p{L}\p{N}]/u.test(glob)) return 'a glob with `/` between directories'
  const alternatives = expandBraces(glob)
  if (alternatives === null) return 'a glob whose braces mean at most 1000 paths'
  return alternatives.map(globFlaw).find(it => it !== null) ?? null
}

function globFlaw(glob: string): string | null {
  // CODEOWNERS and gitignore write it so.
  if (/^\/[^/]/.test(glob)) return `a glob relative to the top of the repository: \`${glob.slice(1)}\``
  if (/^(\/|~|[A-Za-z]:)/.test(glob)) return 'a glob relative to the top of the repository'
  if (glob.split('/').includes('..')) return 'a glob without `..`'
  if (glob.endsWith('/')) return `a glob of files, such as \`${glob}**\``
  if (
    glob
      .replace(/^\.\//, '')
      .split('/')
      .some(it => it === '' || it === '.')
  )
    return 'a glob without empty segments'
  return null
}

/** The characters of a pattern at most: no path of Linux has more bytes (PATH_MAX), and V8 can't compile 40,000. */
export const GLOB_CHARS_MAX = 4096

const UNPRINTABLE = /[\p{Cc}\p{Cs}\uFFFD]/u

function positiveOf(pattern: string): string {
  return pattern.startsWith('!') ? pattern.slice(1) : pattern
}

function braceAlternatives(pattern: string): string[] {
  return (expandBraces(pattern.normalize('NFC')) ?? []).map(it => it.replace(/^\.\//, ''))
}

// braces() throws on a range or a pattern that is too large, but not on several braces whose product is.
function expandBraces(glob: string): string[] | null {
  if (!glob.includes('{')) return [glob]
  if (alternativesIn(glob) > ALTERNATIVES_MAX) return null
  try {
    return micromatch.braces(glob, { expand: true, keepEscaping: true, keepQuotes: true, rangeLimit: ALTERNATIVES_MAX })
  } catch {
    return null
  }
}

// The flag lets `**` cross a newline, which a file name may contain.
function regexOf(glob: string): RegExp {
  const options = { dot: true, nocase: false, windows: false, keepQuotes: true }
  return new RegExp(micromatch.makeRe(escapeSpecials(glob), options).source, 's')
}

const SPECIAL = /\\.|[?*+@!]\([^()\\]*\)|\[(?:\w-\w|_)+\]|[()[\]{}|^$]/gs

// Keeps escapes, one level of extglobs, and pure ranges; escapes every other bracket. Of two `$` or `^` in a row,
// micromatch escapes only the first.
function escapeSpecials(glob: string): string {
  return glob.replace(SPECIAL, it => (it.length === 1 ? `\\${it}` : it))
}
