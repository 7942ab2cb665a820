import { basename } from 'node:path/posix'
import { type Deed, opaque, writes } from './deed.ts'
import { type Form, type Given, given } from './options.ts'
import type { Arg } from './word.ts'
import { writesTo } from './writers.ts'

/** What a program does whose own little language, or options, decide whether it writes; null for any other program. */
export function editorDeeds(name: string, args: readonly Arg[]): Deed[] | null {
  return EDITORS.get(name)?.(args) ?? null
}

const EDITORS: ReadonlyMap<string, (args: readonly Arg[]) => Deed[]> = new Map([
  ['sed', sedDeeds],
  ['gsed', sedDeeds],
  ['awk', awkDeeds],
  ['gawk', awkDeeds],
  ['mawk', awkDeeds],
  ['dd', ddDeeds],
  ['sort', sortDeeds],
  ['uniq', uniqDeeds],
  ['curl', curlDeeds],
  ['wget', wgetDeeds],
  ['tar', tarDeeds],
  ['unzip', unzipDeeds],
])

const values = ({ options }: Given, ...names: readonly string[]) =>
  options.filter(([name]) => names.includes(name)).flatMap(([, value]) => (value === null ? [] : [value]))

const SED: Form = {
  flags: 'nErsuz',
  values: 'e',
  long: ['quiet', 'silent', 'regexp-extended', 'separate', 'null-data'],
  longValues: ['expression'],
}

function sedDeeds(args: readonly Arg[]): Deed[] {
  const edits = args.some(it => it.text !== null && IN_PLACE.test(it.text))
  const words = given(
    args.filter((it, i) => !IN_PLACE.test(it.text ?? '') && !(it.text === '' && args[i - 1]?.text === '-i')),
    SED,
  )
  if (!words) return opaque('sed may write with these options')
  const named = values(words, 'e', 'expression')
  const scripts = named.length > 0 ? named : [words.operands[0]?.text ?? null]
  const files = named.length > 0 ? words.operands : words.operands.slice(1)
  const odd = scripts.every(it => it !== null && PLAIN_SED.test(it)) ? [] : opaque('a script of sed may write')
  return [...odd, ...(edits ? writesTo(files) : [])]
}

// On macOS what follows `-i` is a suffix, and mostly empty. Of a cluster such as `-ni.bak` only these letters may stand
// before the `i`.
const IN_PLACE = /^-[nErsuz]*i|^--i/
// Printing, deleting and replacing; no command that writes, reads or runs.
const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`
const TEXT = String.raw`(?:(?!\1)[^\\\n]|\\.)*\1`
const REPLACE = String.raw`s([/|#])${TEXT}${TEXT}[gpiI0-9]*`
const COMMAND = String.raw`[ \t]*(?:${ADDRESS}(?:,[+~]?${ADDRESS})?)?!?(?:[pdqn=]|${REPLACE})[ \t]*`
const PLAIN_SED = new RegExp(String.raw`^(?:${COMMAND}(?:[;\n]|$))+$`)

function awkDeeds(args: readonly Arg[]): Deed[] {
  const words = given(args, { flags: '', values: 'Fv' })
  const program = words?.operands[0]?.text ?? null
  const isPlain = program !== null && !/[>|@]|system|getline|close|printf?\s*\(/.test(program)
  return isPlain ? [] : opaque('a program of awk may write')
}

function ddDeeds(args: readonly Arg[]): Deed[] {
  return args.flatMap(({ text }) => {
    if (text === null) return opaque('dd may write')
    return text.startsWith('of=') ? writesTo([{ text: text.slice(3), isOperand: true, source: text }]) : []
  })
}

function sortDeeds(args: readonly Arg[]): Deed[] {
  const words = given(args, SORT)
  if (!words) return opaque('sort may write with these options')
  return writes(values(words, 'o', 'output'))
}

const SORT: Form = {
  flags: 'bdfghiMnrRVcCmsuz',
  values: 'kotST',
  long: ['numeric-sort', 'reverse', 'unique', 'version-sort', 'human-numeric-sort', 'ignore-case', 'stable'],
  longValues: ['output', 'key', 'field-separator'],
}

// What is named second is written.
function uniqDeeds(args: readonly Arg[]): Deed[] {
  const words = given(args, { flags: 'cdDiuz', values: 'fsw', long: ['count', 'repeated', 'unique'] })
  return words ? writesTo(words.operands.slice(1)) : opaque('uniq may write')
}

const CURL: Form = {
  flags: 'sSfLIikvgN46O',
  values: 'oHAemuX',
  long: [
    'silent',
    'show-error',
    'fail',
    'location',
    'head',
    'include',
    'insecure',
    'verbose',
    'compressed',
    'remote-name',
  ],
  longValues: ['output', 'header', 'user-agent', 'max-time', 'url', 'request', 'retry', 'connect-timeout'],
}

function curlDeeds(args: readonly Arg[]): Deed[] {
  const words = given(args, CURL)
  if (!words || !values(words, 'X', 'request').every(it => it === 'GET' || it === 'HEAD'))
    return opaque('curl may write, here or elsewhere')
  const files = values(words, 'o', 'output').filter(it => it !== '-')
  const isNamed = words.options.some(([name]) => name === 'O' || name === 'remote-name')
  const from = [...words.operands.map(it => it.text), ...values(words, 'url')]
  const fetched = (isNamed ? from : []).map(it => asFile(it && basename(it.replace(/[?#].*$/s, ''))))
  return writesTo([...fetched, ...files.map(asFile)])
}

function asFile(text: string | null): Arg {
  return { text, isOperand: true, source: text ?? '' }
}

function wgetDeeds(args: readonly Arg[]): Deed[] {
  const words = given(args, {
    flags: 'qSv',
    values: 'OTt',
    long: ['quiet'],
    longValues: ['output-document', 'timeout'],
  })
  const files = words ? values(words, 'O', 'output-document') : []
  if (files.length === 0) return opaque('wget writes files')
  return writes(files.filter(it => it !== '-'))
}

function tarDeeds([first, ...rest]: readonly Arg[]): Deed[] {
  const isListing = /^-?[vzjJ]*t[vzjJ]*f?$/.test(first?.text ?? '')
  const isPlain = rest.every(it => it.isOperand)
  return isListing && isPlain ? [] : opaque('tar may write')
}

function unzipDeeds([first, ...rest]: readonly Arg[]): Deed[] {
  const isListing = /^-(?:l|v|Z1?|t)$/.test(first?.text ?? '')
  return isListing && rest.every(it => it.isOperand) ? [] : opaque('unzip writes files')
}
