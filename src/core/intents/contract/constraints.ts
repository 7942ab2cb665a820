import { malformation } from '../../base/globs.ts'
import { forbiddenGlob } from './forbidden-items.ts'

/** What a machine can check of a constraint. */
export type ConstraintRule =
  | { readonly kind: 'paths'; readonly globs: readonly string[] }
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  | { readonly kind: 'files-max'; readonly count: number }
  | { readonly kind: 'lines-max'; readonly count: number }
  | { readonly kind: 'no-new-dependencies' }
  | { readonly kind: 'no-behaviour-change' }

/**
 * True for a line that begins with `DO NOT`, `Never`, `MUST NOT` or `Forbidden:`, in any case. "Never mind" and
 * "never-ending" forbid nothing.
 */
export function isConstraint(text: string): boolean {
  return CONSTRAINT.test(text)
}

const CONSTRAINT = /^(?:(?:do not|don['\u2019]t|must not)\b|never\b(?!-|\s+mind\b|\s*$)|forbidden:)\s*\S/i

/**
 * The rule that a constraint is, when the whole line is one; null for advice. A line with a condition ("unless the
 * ticket requires it") is advice: it is shown, and stops nobody.
 */
export function ruleOfConstraint({ text, code }: ConstraintText): ConstraintRule | null {
  const wish = text.replace(PREFIX, '').replace(/[.!]\s*$/, '')
  const isForbidden = /^forbidden:/i.test(text)
  const [, bare] = (isForbidden ? ONLY_PATH : PATH).exec(wish) ?? []
  if (bare !== undefined && code.length === 0 && isPathPattern(bare)) return { kind: 'paths', globs: [bare] }
  if (code.length > 0 && (isForbidden ? ONLY_CODE : PATHS).test(withoutCode(wish)) && code.every(isPathPattern)) {
    return { kind: 'paths', globs: code }
  }
  if (code.length > 0 && COMMANDS.test(withoutCode(wish)) && code.every(isCommand))
    return { kind: 'commands', commands: code }
  const [, count, unit] = SIZES.exec(wish) ?? []
  if (count && unit) return { kind: /^file/i.test(unit) ? 'files-max' : 'lines-max', count: Number(count) }
  return DEPENDENCIES.test(wish) ? { kind: 'no-new-dependencies' } : null
}

/** A constraint line, and the texts in backticks in it. */
type ConstraintText = { readonly text: string; readonly code: readonly string[] }

const PREFIX = /^(?:do not|don['\u2019]t|must not|never|forbidden:)\s*/i

// A text in backticks stands as `#` here: what is in it can be any words.
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '#')
}

const LIST = String.raw`#(?:(?:,|,? and|,? or) #)*`
const ONLY_CODE = new RegExp(`^${LIST}$`, 'i')
// Who may not rename, remove or rewrite a file may still edit it, so those words make no rule for paths.
const WRITE = '(?:touch|edit|modify|change|write(?: to)?)'
const CHANGE = '(?:touch|edit|modify|change|write(?: to)?|rewrite|delete|remove|rename|move)'
const PLACE = '(?:(?:anything|files?|code) (?:in|under|below) |the (?:file|folder|directory) )?'
const PATHS = new RegExp(`^${WRITE} ${PLACE}${LIST}$`, 'i')
// Without backticks a single word with a slash or a star is meant as a path.
const PATH = new RegExp(`^${WRITE} ${PLACE}(\\S*[/*]\\S*)$`, 'i')
const ONLY_PATH = /^(\S*[/*]\S*)$/
const COMMANDS = new RegExp(`^(?:run|execute) (?:the command )?${LIST}$`, 'i')
const SIZES = new RegExp(`^${CHANGE} more than (\\d{1,6}) (files?|lines?)(?: of code)?$`, 'i')
const KINDS = '(?: (?:any|new|external|further|other|more|third-party|npm))*'
const PACKAGES = '(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))'
const DEPENDENCIES = new RegExp(`^(?:add|install|introduce)${KINDS} ${PACKAGES}$`, 'i')

// Commands are compared word by word: what only a shell or a glob would read is never found.
function isCommand(text: string): boolean {
  return !/[|&;<>()$*?`'"\\\n]|^\s*\w+=/.test(text)
}

// Other words without a slash or a dot are names in code, more often than files.
const FILE_NAME = /^(?:[A-Z]\w*file|LICEN[CS]E|CODEOWNERS|README|CHANGELOG)$/

function isPathPattern(text: string): boolean {
  const isLike = /^[^\s'"`]+$/.test(text) && (/[/.*]/.test(text) || FILE_NAME.test(text)) && !/^[/!]|\.\./.test(text)
  return isLike && malformation(forbiddenGlob(text)) === null
}
