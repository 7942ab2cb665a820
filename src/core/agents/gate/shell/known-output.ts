import type { ParsedScript } from 'unbash'
import { staticText } from './static-text.ts'

/** True for a script whose output is a number, whatever its input is: a name of a file would be computed. */
export function printsNumber(script: ParsedScript): boolean {
  return PRINTS_NUMBER.test(lastCommand(script) ?? '')
}

/** True for a script whose output is names of commits as hexadecimal digits, or names without a dash that it has. */
export function printsCommits(script: ParsedScript): boolean {
  return PRINTS_COMMITS.test(lastCommand(script) ?? '')
}

/** True for a script whose output does not begin with a dash: an absolute path, or the name of a commit. */
export function printsName(script: ParsedScript): boolean {
  return PRINTS_NAME.test(lastCommand(script) ?? '')
}

/** The words of the command that prints the script's output; null when they are only known at run time. */
function lastCommand({ commands }: ParsedScript): string | null {
  const [{ command, background } = {}, ...more] = commands
  const last = command?.type === 'Pipeline' ? command.commands.at(-1) : command
  if (background || more.length > 0 || last?.type !== 'Command' || last.prefix.length > 0) return null
  const words = [last.name, ...last.args].map(it => (it?.type === 'Word' ? staticText(it) : null))
  const isFedOnly = last.redirects.every(it => it.operator === '<')
  return isFedOnly && words.every(it => it !== null && !/\s/.test(it)) ? words.join(' ') : null
}

const NUMBER_COMMANDS = [
  ...['wc(?: -[clmw])?', 'date(?: -u)? \\+%[sYmdHMSjNV]', 'nproc', 'id -[ug]', 'grep -c [\\w.]+', 'seq(?: \\d+)+'],
  ...['git rev-list --count [\\w./-]+', 'tput (?:cols|lines)'],
]
const PRINTS_NUMBER = new RegExp(`^(?:${NUMBER_COMMANDS.join('|')})$`)

const NAME = String.raw`(?: (?!-)[\w./~^@{}:]+)`
const ANY_NAME = String.raw`(?: (?!-)[\w./~^@{}:-]+)`
const COUNT = String.raw`(?: -(?:n ?)?\d+| --(?:max-(?:count|parents)=\d+|reverse|all|no-merges|first-parent))`
const PARSE = String.raw`rev-parse(?: --short(?:=\d+)?| --verify| -q)*`
const PRINTS_COMMITS = new RegExp(`^git (?:merge-base${ANY_NAME}{2,}|rev-list${COUNT}*${ANY_NAME}+|${PARSE}${NAME}+)$`)
// What it can't find, git prints as it is; a signature is printed before a commit's name.
const LOG = `log${COUNT}* --(?:format|pretty)=(?:format:)?%[Hh]${COUNT}*`
const PRINTS_NAME = new RegExp(`^(?:pwd|git (?:rev-parse --show-toplevel|${PARSE}${ANY_NAME}+|${LOG}${ANY_NAME}*))$`)
