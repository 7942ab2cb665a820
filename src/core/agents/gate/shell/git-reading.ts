import {
  type Arg,
  hasOption,
  type OptionForm,
  optionValues,
  type ParsedArguments,
  parseArguments,
} from './arguments.ts'

/** True for a git command that only reads with these options; null for one that is not known here. */
export function gitReads(verb: string, rest: readonly Arg[]): boolean | null {
  const [form, reads] = COMMANDS.get(verb) ?? []
  if (form === undefined || !reads) return null
  const words = parseArguments(rest, form)
  return words !== null && reads(words, rest)
}

type GitReading = readonly [form: OptionForm, reads: (words: ParsedArguments, args: readonly Arg[]) => boolean]

const CONFIG_FORM =
  '+zlf: --global --local --system --worktree --show-origin --show-scope --name-only --null --type= --bool --int ' +
  '--path --bool-or-int --expiry-date --no-type --includes --no-includes --file= --blob= --default= --get ' +
  '--get-all --list --get-regexp --get-urlmatch --get-color --get-colorbool --all --value= --fixed-value --url='

// The name of a setting alone prints its value; any word after it, also an option, is a value to set. Without a dot it
// may be a sub-command.
function readsConfig(words: ParsedArguments, args: readonly Arg[]): boolean {
  const [first, ...others] = words.operands.map(it => it.text ?? '')
  if (others.some(it => it.startsWith('-'))) return false
  if (hasOption(words, 'l', 'list', 'get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'get-colorbool'))
    return true
  if (first === 'get' || first === 'list') return true
  return others.length === 0 && args.at(-1) === words.operands[0] && /^\w[\w-]*\..*\w$/.test(first ?? '')
}

// A name makes a branch or a tag, unless the line asks for a list.
const lists = (words: ParsedArguments) =>
  words.operands.length === 0 ||
  hasOption(words, 'l', 'list', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at')
const LIST_FORM =
  '--list --ignore-case --color? --no-color --column? --no-column --sort= --format= --contains? --no-contains? ' +
  '--merged? --no-merged? --points-at?'

const always = () => true
const areWords = ({ operands }: ParsedArguments) => operands.every(it => /^\w[\w-]*$/.test(it.text ?? ''))
const REMOTE = /^(?:\.{1,2}|[\w./@-]*[\w/])$/

const COMMANDS: ReadonlyMap<string, GitReading> = new Map<string, GitReading>([
  ['config', [CONFIG_FORM, readsConfig]],
  ['branch', [`arvqil --all --remotes --verbose --quiet --show-current --abbrev? --no-abbrev ${LIST_FORM}`, lists]],
  ['tag', [`lin? ${LIST_FORM}`, lists]],
  [
    'ls-remote',
    [
      'htq --heads --tags --branches --refs --symref --quiet --exit-code --get-url --sort=',
      ({ operands }) => operands.every(it => REMOTE.test(it.text ?? '')),
    ],
  ],
  ['help', ['ag --all --guides', areWords]],
  [
    'fsck',
    [
      'v --full --strict --unreachable --dangling --no-dangling --progress --no-progress --name-objects --root ' +
        '--tags --cache --verbose --no-reflogs --connectivity-only',
      always,
    ],
  ],
  [
    'archive',
    [
      'vl0123456789 --format= --prefix= --list --verbose --worktree-attributes',
      words => optionValues(words, 'format').every(it => /^(?:tar|zip|tar\.gz|tgz)$/.test(it)),
    ],
  ],
  // Other uses of it run the commands of configured trailers.
  [
    'interpret-trailers',
    ['--parse --only-trailers --only-input --unfold --no-divider', it => hasOption(it, 'parse', 'only-input')],
  ],
  ['hash-object', ['t: --stdin --path= --no-filters --literally', always]],
  ['verify-pack', ['vs --verbose --stat-only', always]],
  // A glob may be several words, of which the second one is a value.
  [
    'symbolic-ref',
    [
      'q --quiet --short --recurse --no-recurse',
      ({ operands: [it, ...more] }) => it?.text != null && more.length === 0,
    ],
  ],
  ['rerere', ['', ({ operands }) => /^(?:status|diff)$/.test(operands[0]?.text ?? '')]],
  // Otherwise the merged files become objects of the repository.
  [
    'merge-tree',
    [
      'z --trivial-merge --name-only --messages --no-messages',
      it => hasOption(it, 'trivial-merge') || it.operands.length === 3,
    ],
  ],
  ['bundle', ['q --quiet', ({ operands }) => /^(?:verify|list-heads)$/.test(operands[0]?.text ?? '')]],
])
