import { type Effect, opaqueEffects } from './effect.ts'
import { WORKTREE_COMMANDS } from './git-worktree-commands.ts'
import { governanceMentions } from './governance-mentions.ts'
import { type Arg, plainSource } from './arguments.ts'
import { gitReads } from './git-reading.ts'
import { remoteLoads } from './git-remotes.ts'
import { governanceSwitches, isHooked, settingSwitch } from './git-switches.ts'

/** The effects of a git command. Changes of the repository alone are left to git's own hooks. */
export function gitEffects(args: readonly Arg[]): Effect[] {
  const line = parseGitCommandLine(args)
  if (typeof line === 'string')
    return [...opaqueEffects(line), ...governanceMentions(args.map(it => it.text ?? it.source).join(' '))]
  const { verb, rest, switches } = line
  const reads = switches.length === 0 && readsOnly(verb, rest)
  const bans = [...switches, ...(reads ? [] : governanceSwitches(verb, rest, isNamed(verb, rest)))]
  const effects = reads ? [] : [...changingEffects(verb, rest), ...remoteLoads(verb, rest)]
  const hooked: Effect[] = !reads && isHooked(verb) ? [{ kind: 'hooked' }] : []
  const banned = bans.map((what): Effect => ({ kind: 'switch', what }))
  const folders = line.folders.map((it): Effect => ({ kind: 'folder', path: it.replace(/(?:^|\/)\.git\/?$/, '') }))
  return [...banned, ...hooked, ...folders, ...(folders.length > 0 ? effectsInOtherFolder(verb, effects) : effects)]
}

type GitCommandLine = {
  readonly verb: string
  readonly rest: readonly Arg[]
  readonly switches: readonly string[]
  /** The other folders in which it runs, so that its paths are relative to those. */
  readonly folders: readonly string[]
}

function parseGitCommandLine(args: readonly Arg[]): GitCommandLine | string {
  const switches: string[] = []
  const folders: string[] = []
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? null
    const next = args[i + 1]?.text ?? null
    if (text === null) return 'the git command is only known when it runs'
    // A clone can bring a folder with the files of a git directory, whose config names programs; git adds no `.git`.
    if (text.startsWith('--git-dir') && !/(?:^|[=/])\.git\/?$/.test(text === '--git-dir' ? (next ?? '') : text))
      return "git may run what another repository's config names"
    if (/^--(?:git-dir|work-tree)=/.test(text)) {
      folders.push(text.slice(text.indexOf('=') + 1))
    } else if (/^(?:-C|--git-dir|--work-tree)$/.test(text)) {
      folders.push(next ?? '')
      i += 1
    } else if (text === '-c' || text.startsWith('--config-env')) {
      const isJoined = text.includes('=')
      const word = args[i + 1]
      const setting = isJoined ? text.slice(text.indexOf('=') + 1) : word ? plainSource(word) : ''
      if (!isJoined) i += 1
      const off = settingSwitch(setting)
      if (off !== null) switches.push(off)
      else if (!isJoined && next === null) return "git's configuration is only known when it runs"
      else if (text !== '-c' || !isHarmlessSetting(setting)) return 'git is configured for this command'
    } else if (
      !/^(?:--no-pager|-P|-p|--paginate|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/.test(text)
    ) {
      if (text.startsWith('-') && !PRINTING_OPTION.test(text)) return 'git has options that kotef does not know'
      return { verb: text, rest: args.slice(i + 1), switches, folders }
    }
  }
  return { verb: '--help', rest: [], switches, folders }
}

// Without a value, each of them prints one and ends.
const PRINTING_OPTION = /^--(?:version|help|(?:exec|html|man|info)-path)$/

/** True for a setting (`key=value`) that makes git neither run a program nor write elsewhere. */
function isHarmlessSetting(setting: string): boolean {
  return HARMLESS_VALUE.test(setting) || HARMLESS_PAGER.test(setting)
}

const HARMLESS_NAMES = [
  ...['color\\.[\\w.]+', 'core\\.(?:quotepath|abbrev)', '(?:advice|log|status|grep|column|branch|tag)\\.\\w+'],
  'diff\\.(?:renames|algorithm|noprefix|mnemonicprefix|context|interhunkcontext|colormoved|renamelimit|submodule)',
]
const HARMLESS_VALUE = new RegExp(`^(?:${HARMLESS_NAMES.join('|')})=[\\w-]*$`, 'i')
// Any other pager is a program to run.
const HARMLESS_PAGER = /^(?:core\.pager|pager\.\w+)=(?:cat|less|more|true|false|)$/i

// An unknown command may be an alias.
function isNamed(verb: string, rest: readonly Arg[]): boolean {
  const isListed = READ_ONLY_COMMANDS.has(verb) || REPOSITORY_COMMANDS.has(verb) || WORKTREE_COMMANDS.has(verb)
  return isListed || gitReads(verb, rest) !== null
}

function effectsInOtherFolder(verb: string, effects: readonly Effect[]): Effect[] {
  const writes = WORKTREE_COMMANDS.has(verb) && effects.some(it => it.kind === 'write' || it.kind === 'record')
  return writes ? opaqueEffects('git works in another folder') : [...effects]
}

function readsOnly(verb: string, words: readonly Arg[]): boolean {
  const reads = gitReads(verb, words)
  if (reads !== null) return reads
  // After `--` there is no option.
  const end = words.findIndex(it => it.text === '--')
  const rest = words.map((it, i) => (end !== -1 && i > end ? { ...it, text: null, isOperand: true } : it))
  const limit = READ_ONLY_COMMANDS.get(verb)
  if (!limit) return false
  const isClear = rest.every(it => it.text !== null || it.isOperand)
  return isClear && limit(rest.map(it => it.text ?? 'operand'))
}

type ReadOnlyTest = (words: readonly string[]) => boolean

const namesNoProgram: ReadOnlyTest = words =>
  !words.some(it => /^--(?:ou|ext|textc|op|upl|exe)/.test(it) || /^-O/.test(it))
const firstIs =
  (pattern: RegExp): ReadOnlyTest =>
  ([first = '', ...more]) =>
    pattern.test(first) && namesNoProgram(more)

const isSubmoduleReport: ReadOnlyTest = words => words.length === 0 || firstIs(/^(?:status|summary)$/)(words)

const READ_ONLY_COMMANDS: ReadonlyMap<string, ReadOnlyTest> = new Map<string, ReadOnlyTest>([
  ...(
    'status log diff show blame annotate ls-files ls-tree rev-parse rev-list cat-file describe shortlog name-rev ' +
    'merge-base for-each-ref show-ref check-ignore check-attr check-mailmap count-objects diff-tree diff-index ' +
    '--exec-path --html-path --man-path --info-path diff-files var version --version --help whatchanged ' +
    'cherry range-diff verify-commit verify-tag show-branch patch-id stripspace last-modified'
  )
    .split(' ')
    .map((it): [string, ReadOnlyTest] => [it, namesNoProgram]),
  ['grep', words => namesNoProgram(words) && !words.some(it => /^-[a-zA-Z]*O/.test(it))],
  [
    'remote',
    words => words.every(it => it === '-v' || it === '--verbose') || /^(?:show|get-url)$/.test(words[0] ?? ''),
  ],
  ['stash', firstIs(/^(?:list|show)$/)],
  ['reflog', words => words.length === 0 || firstIs(/^(?:show|exists|-\w+|HEAD.*)$/)(words)],
  ['worktree', firstIs(/^list$/)],
  [
    'notes',
    words =>
      words.length === 0 ||
      (firstIs(/^(?:list|show|--ref=[\w/]+)$/)(words) &&
        !words.some(it => /^(?:add|append|copy|edit|remove|merge|prune)$/.test(it))),
  ],
  ['submodule', words => isSubmoduleReport(words.filter(it => it !== '--quiet'))],
  ['bisect', firstIs(/^log$/)],
  ['refs', firstIs(/^(?:list|exists|verify)$/)],
  ['replace', firstIs(/^(?:-l|--list)$/)],
  ['hook', firstIs(/^list$/)],
  ['repo', firstIs(/^(?:info|structure)$/)],
])

function changingEffects(verb: string, rest: readonly Arg[]): Effect[] {
  const isClear = rest.every(it => (it.text === null ? it.isOperand : !/^--(?:rec(?!u)|e(?!di)|upl)/.test(it.text)))
  const isPlain = MAINTENANCE.has(verb) ? rest.every(it => isOfMaintenance(it.text ?? '')) : !hidesRefs(verb, rest)
  if (REPOSITORY_COMMANDS.has(verb) && isClear && isPlain) return [{ kind: 'record' }]
  const paths = WORKTREE_COMMANDS.get(verb)?.(rest)
  const words = rest.map(it => it.text ?? it.source).join(' ')
  return paths ?? [...opaqueEffects(`git ${verb} may write any file`), ...governanceMentions(words)]
}

const REPOSITORY_COMMANDS = new Set(
  'add stage commit push fetch tag branch notes gc maintenance pack-refs remote merge-tree'.split(' '),
)

/** True when it is only known at run time which references it writes. */
function hidesRefs(verb: string, rest: readonly Arg[]): boolean {
  if (verb === 'fetch') return rest.some(it => it.text === null || it.text === '--stdin')
  return verb === 'notes' && rest.some((it, n) => it.text === null && /^--r/.test(rest[n - 1]?.text ?? ''))
}

// Other words of them write a file or the machine's schedule.
const MAINTENANCE: ReadonlySet<string> = new Set(['gc', 'maintenance', 'pack-refs'])
const MAINTENANCE_FLAG = /^(?:run|-q|--(?:auto|no-auto|quiet|aggressive|all|force|prune|no-prune|keep-largest-pack))$/
const MAINTENANCE_VALUE = /^--(?:task|prune)=[\w.-]+$/

function isOfMaintenance(word: string): boolean {
  return MAINTENANCE_FLAG.test(word) || MAINTENANCE_VALUE.test(word)
}
