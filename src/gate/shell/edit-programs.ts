import { basename } from 'node:path/posix'
import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import { type Arg, type OptionForm, parseArguments, type ParsedArguments } from './arguments.ts'
import { writeEffectsTo } from './write-programs.ts'

/** The effects of a program whose script or options decide whether it writes; null for any other program. */
export function editorEffects(name: string, args: readonly Arg[]): Effect[] | null {
  return EDITORS.get(name)?.(args) ?? null
}

const EDITORS: ReadonlyMap<string, (args: readonly Arg[]) => Effect[]> = new Map([
  ['sed', sedEffects],
  ['gsed', sedEffects],
  ['awk', awkEffects],
  ['gawk', awkEffects],
  ['mawk', awkEffects],
  ['dd', ddEffects],
  ['sort', sortEffects],
  ['uniq', uniqEffects],
  ['curl', curlEffects],
  ['wget', wgetEffects],
  ['tar', tarEffects],
  ['unzip', unzipEffects],
])

const optionValues = ({ options }: ParsedArguments, ...names: readonly string[]) =>
  options.filter(([name]) => names.includes(name)).flatMap(([, value]) => (value === null ? [] : [value]))

const SED_FORM: OptionForm = 'nErsuze: --quiet --silent --regexp-extended --separate --null-data --expression='

function sedEffects(args: readonly Arg[]): Effect[] {
  const edits = args.some(it => it.text !== null && IN_PLACE.test(it.text))
  const words = parseArguments(
    args.filter((it, i) => !IN_PLACE.test(it.text ?? '') && !(it.text === '' && args[i - 1]?.text === '-i')),
    SED_FORM,
  )
  if (!words) return opaqueEffects('sed may write with these options')
  const expressions = optionValues(words, 'e', 'expression')
  const scripts = expressions.length > 0 ? expressions : [words.operands[0]?.text ?? null]
  const files = expressions.length > 0 ? words.operands : words.operands.slice(1)
  const odd = scripts.every(it => it !== null && PLAIN_SED.test(it)) ? [] : opaqueEffects('a script of sed may write')
  return [...odd, ...(edits ? writeEffectsTo(files) : [])]
}

// On macOS `-i` is followed by a suffix, mostly an empty argument. In a cluster such as `-ni.bak` only these letters
// may come before the `i`.
const IN_PLACE = /^-[nErsuz]*i|^--i/
// Commands that print, delete and replace; not those that write or read a file, or run a program.
const SED_ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`
const SED_TEXT = String.raw`(?:(?!\1)[^\\\n]|\\.)*\1`
const SED_REPLACE = String.raw`s([/|#])${SED_TEXT}${SED_TEXT}[gpiI0-9]*`
const SED_COMMAND = String.raw`[ \t]*(?:${SED_ADDRESS}(?:,[+~]?${SED_ADDRESS})?)?!?(?:[pdqn=]|${SED_REPLACE})[ \t]*`
const PLAIN_SED = new RegExp(String.raw`^(?:${SED_COMMAND}(?:[;\n]|$))+$`)

function awkEffects(args: readonly Arg[]): Effect[] {
  const words = parseArguments(args, 'F:v:')
  const program = words?.operands[0]?.text ?? null
  const isPlain = program !== null && !/[>|@]|system|getline|close|printf?\s*\(/.test(program)
  return isPlain ? [] : opaqueEffects('a program of awk may write')
}

function ddEffects(args: readonly Arg[]): Effect[] {
  return args.flatMap(({ text }) => {
    if (text === null) return opaqueEffects('dd may write')
    return text.startsWith('of=') ? writeEffectsTo([{ text: text.slice(3), isOperand: true, source: text }]) : []
  })
}

function sortEffects(args: readonly Arg[]): Effect[] {
  const words = parseArguments(args, SORT_FORM)
  if (!words) return opaqueEffects('sort may write with these options')
  return writeEffects(optionValues(words, 'o', 'output'))
}

const SORT_FORM: OptionForm =
  'bdfghiMnrRVcCmsuzk:o:t:S:T: --numeric-sort --reverse --unique --version-sort --human-numeric-sort --ignore-case ' +
  '--stable --output= --key= --field-separator='

// The second operand is the output file.
function uniqEffects(args: readonly Arg[]): Effect[] {
  const words = parseArguments(args, 'cdDiuzf:s:w: --count --repeated --unique')
  return words ? writeEffectsTo(words.operands.slice(1)) : opaqueEffects('uniq may write')
}

const CURL_FORM: OptionForm =
  'sSfLIikvgN46Oo:H:A:e:m:u:X: --silent --show-error --fail --location --head --include --insecure --verbose ' +
  '--compressed --remote-name --output= --header= --user-agent= --max-time= --url= --request= --retry= ' +
  '--connect-timeout='

function curlEffects(args: readonly Arg[]): Effect[] {
  const words = parseArguments(args, CURL_FORM)
  if (!words || !optionValues(words, 'X', 'request').every(it => it === 'GET' || it === 'HEAD'))
    return opaqueEffects('curl may write, here or elsewhere')
  const files = optionValues(words, 'o', 'output').filter(it => it !== '-')
  const isRemoteName = words.options.some(([name]) => name === 'O' || name === 'remote-name')
  const from = [...words.operands.map(it => it.text), ...optionValues(words, 'url')]
  const fetched = (isRemoteName ? from : []).map(it => fileArg(it && basename(it.replace(/[?#].*$/s, ''))))
  return writeEffectsTo([...fetched, ...files.map(fileArg)])
}

function fileArg(text: string | null): Arg {
  return { text, isOperand: true, source: text ?? '' }
}

function wgetEffects(args: readonly Arg[]): Effect[] {
  const words = parseArguments(args, 'qSvO:T:t: --quiet --output-document= --timeout=')
  const files = words ? optionValues(words, 'O', 'output-document') : []
  if (files.length === 0) return opaqueEffects('wget writes files')
  return writeEffects(files.filter(it => it !== '-'))
}

function tarEffects([first, ...rest]: readonly Arg[]): Effect[] {
  const isListing = /^-?[vzjJ]*t[vzjJ]*f?$/.test(first?.text ?? '')
  const isPlain = rest.every(it => it.isOperand)
  return isListing && isPlain ? [] : opaqueEffects('tar may write')
}

function unzipEffects([first, ...rest]: readonly Arg[]): Effect[] {
  const isListing = /^-(?:l|v|Z1?|t)$/.test(first?.text ?? '')
  return isListing && rest.every(it => it.isOperand) ? [] : opaqueEffects('unzip writes files')
}
