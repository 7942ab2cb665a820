import { type Effect, opaqueEffects } from './effect.ts'
import type { Arg } from './arguments.ts'
import { isSwitchVariable, movesSettings } from '../../../git/switch-variables.ts'
import { whySpecial } from './special-variables.ts'

/**
 * The effects of assigning a variable: some are read by programs, a few by git and kotef, most only by the script.
 * `exported`: it is put into the environment of programs; `text`: the whole assignment.
 */
export function assignmentEffects(name: string, { exported = false, text = '' } = {}): Effect[] {
  if (PLAIN_ASSIGNMENT.test(text)) return []
  if (isSwitchVariable(name)) return [{ kind: 'switch', what: `the variable ${name}` }]
  if (movesSettings(name))
    return [...opaqueEffects(`programs read ${name}`), { kind: 'settings', what: `the variable ${name}` }]
  if (HARMLESS_VARIABLE.test(name)) return []
  const special = whySpecial(name)
  const isOfScript = SCRIPT_NAME.test(name) || (!exported && OWN_VARIABLE.test(name))
  if (special === null && isOfScript) return []
  return opaqueEffects(special === null ? `programs read ${name}` : `${name}: ${special}`)
}

const HARMLESS_VARIABLE = /^(?:[A-Za-z]|LC_\w+|LANG|TZ|NO_COLOR|FORCE_COLOR|CI|TERM|DEBUG|GIT_OPTIONAL_LOCKS)$/
// Usual names of scripts, which no program reads that the gate knows.
const SCRIPT_WORDS =
  'BASE|HEAD|MERGE|MAIN|REPO|PROJECT|SRC|DEST|FILE|FILES|DIR|DIRS|NAME|NAMES|BRANCH|BRANCHES|SHA|HASH|COMMIT|COMMITS|' +
  'TAG|TAGS|VERSION|VERSIONS|URL|PORT|COUNT|TOTAL|SUM|LINE|WORD|KEY|VALUE|RESULT|RESULTS|OUT|OUTPUT|STATUS|RC|CODE|' +
  'START|END|ELAPSED|NOW|TODAY|SINCE|PR|ISSUE|NUM|NUMBER|RUN|JOB|ID|IDS|POD|PODS|IMAGE|CONTAINER|MSG|TEXT|PATTERN|' +
  'LIST|ITEM|ITEMS|DATE|AUTHOR|OWNER|OLD|NEW|PREV|NEXT|LAST|FIRST|CURRENT|LATEST|REMOTE|TARGET|SOURCE|' +
  'ROOT|FOO|BAR|SIZE|MAX|MIN'
const SCRIPT_NAME = new RegExp(`^(?:(?:${SCRIPT_WORDS})_)*(?:${SCRIPT_WORDS})$|^OLDIFS$`)
const OWN_VARIABLE = /^[a-z_][a-z0-9_]*$/
// Programs read these variables, but with such a value they run and write nothing.
const PLAIN_ASSIGNMENTS = [
  ...['GIT_TERMINAL_PROMPT=[01]', 'NODE_NO_WARNINGS=\\d', 'PYTHONDONTWRITEBYTECODE=\\d', 'CARGO_TERM_COLOR=\\w+'],
  ...[
    '(?:GIT_|MAN|GH_|BAT_|SYSTEMD_)?PAGER=(?:cat|less|more)?',
    'LESS=-?[FRXSMiIQq]+',
    '(?:NODE|RAILS|RACK|APP)_ENV=\\w*',
  ],
  // What is put together from parts is made of words by it, and such words are not known anyway.
  `IFS=(?:|[,:|;]|\\$?'[^']*'|"[^"$\`\\\\]*"|"?\\$(?:OLD_?IFS|old_?ifs)"?)`,
  // In zsh the value is computed.
  '(?:COLUMNS|LINES)=\\d*',
  ...['AWS_(?:PROFILE|REGION|DEFAULT_REGION)=[\\w-]+', 'RUST_LOG=\\w*', 'RUST_BACKTRACE=\\w*', 'PYTHONUNBUFFERED=\\w*'],
]
const PLAIN_ASSIGNMENT = new RegExp(`^(?:${PLAIN_ASSIGNMENTS.join('|')})$`)

/** The effects of a shell builtin that changes variables or settings; null for any other command. */
export function builtinEffects(name: string, args: readonly Arg[]): Effect[] | null {
  switch (name) {
    case 'readonly':
      return opaqueEffects("a later line can't set such a variable")
    case 'export':
    case 'declare':
    case 'local':
    case 'typeset': {
      const exported = name === 'export' || args.some(it => /^-\w*x/.test(it.text ?? ''))
      return args.flatMap(it => declarationEffects(it, exported))
    }
    case 'read':
    case 'unset':
      return args.flatMap(it => variableEffects(it))
    case 'set':
      return arePlainSettings(args)
        ? []
        : opaqueEffects('its settings are only known when it runs, or change other programs')
    default:
      return null
  }
}

function variableEffects({ text }: Arg): Effect[] {
  if (text === null || !/^(?:-[rs]+|[A-Za-z_]\w*)$/.test(text)) return opaqueEffects('it evaluates an expression')
  return text.startsWith('-') ? [] : assignmentEffects(text)
}

/** True for settings that neither export variables nor change in which folder a path begins. */
function arePlainSettings(args: readonly Arg[]): boolean {
  const end = args.findIndex(it => it.text === '--')
  return (end === -1 ? args : args.slice(0, end)).every(it => PLAIN_SETTING.test(it.text ?? '$'))
}

const PLAIN_SETTING_NAMES = 'errexit errtrace functrace noclobber noexec noglob nounset pipefail verbose xtrace posix'
const PLAIN_SETTING = new RegExp(`^(?:[-+][bCefhmnuvxEoT]*|${PLAIN_SETTING_NAMES.replaceAll(' ', '|')})$`)

function declarationEffects({ text, source }: Arg, exported: boolean): Effect[] {
  if (text !== null && /^-[xgp]+$/.test(text)) return []
  const [, name] = /^["']?([A-Za-z_]\w*)(?:\+?=|$)/.exec(source) ?? []
  return name === undefined
    ? opaqueEffects('it declares a name that is only known when it runs')
    : assignmentEffects(name, { exported, text: source })
}
