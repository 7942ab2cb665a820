import { basename } from 'node:path/posix'
import { isPlainAwk } from './awk-program.ts'
import { isPlainSed } from './sed-script.ts'
import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import {
  type Arg,
  hasOption,
  mayBeSeveral,
  type OptionForm,
  optionValues,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts'
import { fileArg, replacedDevices, writeEffectsTo } from './write-programs.ts'

/** The effects of a program whose script or options decide whether it writes; null for any other program. */
export function editorEffects(name: string, args: readonly Arg[]): Effect[] | null {
  return EDITORS.get(name)?.(args) ?? null
}

type Editor = (args: readonly Arg[]) => Effect[]

/** A program whose arguments are parsed by a form; `why` it may write when they are not of that form. */
function parsed(form: OptionForm, why: string, effectsOf: (words: ParsedArguments) => Effect[]): Editor {
  return args => {
    const words = parseArguments(args, form)
    return words ? effectsOf(words) : opaqueEffects(why)
  }
}

/** A program that only reads when its first argument asks for a list, and no other one is an option. */
function listing(list: RegExp, why: string): Editor {
  return ([first, ...rest]) =>
    list.test(first?.text ?? '') && rest.every(it => it.isOperand || LISTING_OPTION.test(it.text ?? ''))
      ? []
      : opaqueEffects(why)
}

/** tar only reads when it lists, or prints a member; of an archive on another machine another program reads. */
function tarEffects(args: readonly Arg[]): Effect[] {
  const [first, ...rest] = args
  const words = parseArguments(/^\w/.test(first?.text ?? '') ? [dashed(first), ...rest] : args, TAR_FORM)
  const isList = words && hasOption(words, 't', 'list') && !hasOption(words, 'x', 'extract', 'get')
  const prints = words && hasOption(words, 'O', 'to-stdout') && hasOption(words, 'x', 'extract', 'get')
  const isLocal = args.every(it => it.text?.includes(':') !== true)
  return (isList || prints) && isLocal ? [] : opaqueEffects('tar may write')
}

function dashed(word: Arg | undefined): Arg {
  return { text: `-${word?.text ?? ''}`, isOperand: false, source: '' }
}

const TAR_FORM: OptionForm =
  'tvzjJxOf: --list --verbose --gzip --bzip2 --xz --extract --get --to-stdout --file= --wildcards --no-wildcards ' +
  '--no-recursion --full-time --exclude= --strip-components='

const LISTING_OPTION = /^--(?:(?:no-)?wildcards|no-recursion|full-time|exclude=.*|strip-components=\d+)$/

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
  const odd = scripts.every(it => it !== null && isPlainSed(it)) ? [] : opaqueEffects('a script of sed may write')
  return [
    ...odd,
    ...(edits ? [...writeEffectsTo(files), ...replacedDevices(files), ...backupEffects(args, files)] : []),
  ]
}

// GNU sed puts a file's name in place of each `*` of the suffix, and then it is a path.
function backupEffects(args: readonly Arg[], files: readonly Arg[]): Effect[] {
  const [suffix = ''] = args.flatMap(it => it.text?.match(/^(?:-[nErsuz]*i|--i[^=]*=)(.+)$/s)?.[1] ?? [])
  if (suffix === '') return []
  if (!/[*/]/.test(suffix)) return writeEffects(files.flatMap(it => (it.text === null ? [] : [it.text + suffix])))
  const copies = files.flatMap(it => (it.text === null ? [] : [suffix.replaceAll('*', basename(it.text))]))
  return [...writeEffects(copies), ...opaqueEffects('sed puts a copy elsewhere')]
}

// On macOS `-i` is followed by a suffix, mostly an empty argument. In a cluster such as `-ni.bak` only these letters
// may come before the `i`.
const IN_PLACE = /^-[nErsuz]*i|^--i/

function awkEffects({ operands }: ParsedArguments): Effect[] {
  const program = operands[0]?.text ?? null
  const isPlain = program !== null && isPlainAwk(program)
  return isPlain ? [] : opaqueEffects(AWK_MAY_WRITE)
}

const AWK_MAY_WRITE = 'a program of awk may write'

function ddEffects(args: readonly Arg[]): Effect[] {
  return args.flatMap(({ text }) => {
    if (text === null) return opaqueEffects('dd may write')
    return text.startsWith('of=') ? writeEffectsTo([fileArg(text.slice(3))]) : []
  })
}

const SORT_FORM: OptionForm =
  'bdfghiMnrRVcCmsuzk:o:t:S:T: --numeric-sort --reverse --unique --version-sort --human-numeric-sort --ignore-case ' +
  '--stable --output= --key= --field-separator= --parallel= --zero-terminated --check? --merge --random-sort ' +
  '--general-numeric-sort --dictionary-order --month-sort --ignore-leading-blanks --buffer-size= --debug ' +
  '--temporary-directory='

function sortEffects(words: ParsedArguments): Effect[] {
  const isElsewhere = optionValues(words, 'T', 'temporary-directory').every(it => TEMPORARY.test(it))
  const odd = isElsewhere ? [] : opaqueEffects('sort keeps temporary files in a folder')
  return [...writeEffects(optionValues(words, 'o', 'output')), ...odd]
}

const TEMPORARY = /^(?:\/var)?\/tmp\/?$|^\/dev\/shm\/?$/

const UNIQ_FORM: OptionForm =
  '+cdDiuzf:s:w: --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars= ' +
  '--all-repeated? --group? --zero-terminated'

const CURL_FORM: OptionForm =
  'sSfLIikvgN46OGV#0o:H!A!e!m:u!b!r:x:X:d:w: --silent --show-error --fail --location --head --include --insecure ' +
  '--verbose --compressed --remote-name --output= --header! --user-agent! --max-time= --url= --request= --retry= ' +
  '--connect-timeout= --get --data= --data-urlencode= --write-out= --user! --referer! --cookie! --range= --proxy= ' +
  '--http1.0 --http1.1 --http2 --http3 --fail-with-body --resolve= --connect-to= --interface= --cacert= --ipv4 ' +
  '--ipv6 --no-buffer --no-progress-meter --progress-bar --max-redirs= --retry-delay= --retry-connrefused ' +
  '--retry-all-errors --retry-max-time= --tlsv1.2 --tlsv1.3 --globoff --noproxy= --oauth2-bearer! --basic --digest ' +
  '--anyauth --limit-rate= --version'

function curlEffects(words: ParsedArguments): Effect[] {
  if (!optionValues(words, 'X', 'request').every(it => it === 'GET' || it === 'HEAD'))
    return opaqueEffects(CURL_MAY_WRITE)
  const sends = optionValues(words, 'd', 'data', 'data-urlencode').length > 0 && !hasOption(words, 'G', 'get')
  // `%output{x}` writes the file x.
  if (sends || optionValues(words, 'w', 'write-out').some(it => it.includes('output{') || it.startsWith('@')))
    return opaqueEffects(CURL_MAY_WRITE)
  const files = optionValues(words, 'o', 'output').filter(it => it !== '-')
  const isRemoteName = hasOption(words, 'O', 'remote-name')
  const from = [...words.operands.map(it => it.text), ...optionValues(words, 'url')]
  const fetched = (isRemoteName ? from : []).map(it => fileArg(it && basename(it.replace(/[?#].*$/s, ''))))
  // curl replaces `#1` by a part of the address, and the address may have several.
  const isMany =
    files.some(it => /#\d/.test(it)) || (isRemoteName && from.some(it => it === null || /[{}[\]]/.test(it)))
  return [...writeEffectsTo([...fetched, ...files.map(fileArg)]), ...(isMany ? opaqueEffects(CURL_MAY_WRITE) : [])]
}

const CURL_MAY_WRITE = 'curl may write, here or elsewhere'

function wgetEffects(words: ParsedArguments): Effect[] {
  const files = optionValues(words, 'O', 'output-document')
  if (hasOption(words, 'spider')) return writeEffects(files.filter(it => it !== '-'))
  return files.length === 0 ? opaqueEffects(WGET_WRITES) : writeEffects(files.filter(it => it !== '-'))
}

const WGET_WRITES = 'wget writes files'

const DATE_FORM: OptionForm =
  'ujnRI?d:f:r:v: --utc --universal --debug --rfc-email --iso-8601? --rfc-3339= --date= --file= --reference='

const EDITORS: ReadonlyMap<string, Editor> = new Map([
  ...['sed', 'gsed'].map((name): [string, Editor] => [name, sedEffects]),
  ...['awk', 'gawk', 'mawk'].map((name): [string, Editor] => [name, parsed('F:v!', AWK_MAY_WRITE, awkEffects)]),
  ['dd', ddEffects],
  ['sort', parsed(SORT_FORM, 'sort may write with these options', sortEffects)],
  // The second operand is the output file.
  [
    'uniq',
    parsed(UNIQ_FORM, 'uniq may write', ({ operands }) =>
      writeEffectsTo(operands.filter((it, i) => i > 0 || mayBeSeveral(it))),
    ),
  ],
  ['curl', parsed(CURL_FORM, CURL_MAY_WRITE, curlEffects)],
  ['wget', parsed('qSvO:T:t: --spider --quiet --output-document= --timeout=', WGET_WRITES, wgetEffects)],
  // Any other operand sets the clock, unless on macOS `-j` says that none does.
  [
    'date',
    parsed(DATE_FORM, 'date may set the clock', words =>
      hasOption(words, 'j') || words.operands.every(it => it.text?.startsWith('+'))
        ? []
        : opaqueEffects('date may set the clock'),
    ),
  ],
  ['tar', tarEffects],
  ['unzip', listing(/^-(?:l|v|Z1?|t|p)$/, 'unzip writes files')],
])
