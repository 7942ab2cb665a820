import { published, type SafeText, safe } from './safe-text.ts'

/** A line of a file that an output names. */
export type NamedLine = { readonly path: string; readonly line: number }

/**
 * What an output says about a failure: the class of the error, from a list, and the place, if its file is one that
 * `isTracked`. No other text of the output is used. Empty where neither is known.
 */
export function describedFailure(output: string, places: readonly NamedLine[]): SafeText {
  const kind = errorClass(output)
  const [place] = places
  const at = place ? published(`${place.path}:${place.line}`) : null
  if (kind === null) return at === null ? safe`` : safe`an error at ${at}`
  return at === null ? kind : safe`${kind} at ${at}`
}

/** The class of the error in an output; null where none of the list is named. */
export function errorClass(output: string): SafeText | null {
  const tail = plainTail(output)
  for (const [pattern, name] of CLASSES) {
    const found = pattern.exec(tail)
    if (found) return published(name ?? found[1] ?? found[0])
  }
  return null
}

/** The end of an output without its colours, which stand directly before the words. */
function plainTail(output: string): string {
  return output.slice(-OUTPUT_CHARS_MAX).replace(COLOURS, '')
}

const OUTPUT_CHARS_MAX = 16_000
const COLOURS = new RegExp(String.raw`${String.fromCodePoint(0x1b)}\[[\d;]*m`, 'g')

const oneOf = (words: string) => new RegExp(String.raw`(?<![\w$])(${words.split(/\s+/).join('|')})(?![\w$])`)

// The most precise first. A pattern without a name has one group, each of whose texts is in this list or is digits.
const CLASSES: readonly (readonly [pattern: RegExp, name?: string])[] = [
  [/\b(error TS\d{4,5})\b/],
  [/\b(error\[E\d{4}\])/],
  [/\b(error CS\d{4})\b/],
  [
    oneOf(
      `AssertionError TypeError ReferenceError SyntaxError RangeError EvalError URIError AggregateError DOMException
      ERR_ASSERTION ERR_MODULE_NOT_FOUND ERR_REQUIRE_ESM ERR_UNKNOWN_FILE_EXTENSION MODULE_NOT_FOUND
      AttributeError KeyError IndexError ValueError NameError ImportError ModuleNotFoundError ZeroDivisionError
      RuntimeError RecursionError NotImplementedError PermissionError FileNotFoundError OSError IOError
      ConnectionError ConnectionRefusedError TimeoutError UnicodeDecodeError UnboundLocalError StopIteration
      IndentationError TabError MemoryError SystemExit KeyboardInterrupt NoMethodError ArgumentError LoadError
      NullPointerException IllegalArgumentException IllegalStateException ClassCastException ClassNotFoundException
      IndexOutOfBoundsException ArrayIndexOutOfBoundsException NumberFormatException UnsupportedOperationException
      NoSuchElementException ConcurrentModificationException StackOverflowError OutOfMemoryError
      NullReferenceException InvalidOperationException ArgumentNullException ArgumentException`,
    ),
  ],
  [oneOf('ECONNREFUSED ECONNRESET ENOTFOUND ETIMEDOUT EADDRINUSE EACCES EPERM ENOENT EEXIST ENOSPC EMFILE ELIFECYCLE')],
  [/\bpanicked at\b/, 'panicked'],
  [/^panic: /m, 'panic'],
  [/\bsegmentation fault\b/i, 'segmentation fault'],
  [/\bheap out of memory\b/i, 'out of memory'],
  [/\bcommand not found\b|: not found$/m, 'command not found'],
  [/\bmissing script\b/i, 'missing script'],
  [/\bpermission denied\b/i, 'permission denied'],
  [/\bno such file or directory\b/i, 'no such file'],
  [
    /\bexpected\b[^]{0,200}\b(?:received|actual|to (?:be|equal))\b|\bassert(?:ion)?\b.{0,20}\bfailed\b/i,
    'a failed assertion',
  ],
  [/\bFAIL(?:ED|URES?)?\b/, 'failed tests'],
  [/\bError\b/, 'Error'],
]

/** The places in an output that may be lines of files of a worktree, each once, the first ones first. */
export function placesIn(output: string, root: string): NamedLine[] {
  const tail = plainTail(output).replaceAll(`${root}/`, '')
  const found = [...tail.matchAll(PLACE)].map(({ 1: path = '', 2: line = '' }) => ({
    path: path.replace(/^(?:\.\/)+/, ''),
    line: Number(line),
  }))
  const own = found.filter(it => !/^\/|(?:^|\/)(?:\.\.|node_modules)\//.test(it.path))
  return [...new Map(own.map(it => [`${it.path}:${it.line}`, it])).values()].slice(0, PLACES_MAX)
}

// `src/a.ts:3:1`, `src/a.ts(3,1)`, and Python's `File "src/a.py", line 3`.
const PLACE = /([\w@.+/-]{1,200}\.[A-Za-z]\w{0,9})(?::|\(|", line )(\d{1,6})\b/g
const PLACES_MAX = 20
