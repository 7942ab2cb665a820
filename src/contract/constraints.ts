import { type Statement, statementsOf } from './statements.ts'

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

/** The constraint lines of a Markdown document, in its order. */
export function constraintsIn(markdown: string): string[] {
  return statementsOf(markdown).flatMap(it => (isConstraint(it.text) ? [it.text] : []))
}

/**
 * The rule that a constraint is, when the whole line is one; null for advice. A line with a condition ("unless the
 * ticket requires it") is advice: it is shown, and stops nobody.
 */
export function ruleOfConstraint({ text, code }: Pick<Statement, 'text' | 'code'>): ConstraintRule | null {
  const wish = text.replace(PREFIX, '').replace(/[.!]\s*$/, '')
  const isForbidden = /^forbidden:/i.test(text)
  if (code.length > 0 && (isForbidden ? ONLY_CODE : PATHS).test(withoutCode(wish)) && code.every(isPathPattern)) {
    return { kind: 'paths', globs: code }
  }
  if (code.length > 0 && COMMANDS.test(withoutCode(wish))) return { kind: 'commands', commands: code }
  const [, count, unit] = SIZES.exec(wish) ?? []
  if (count && unit) return { kind: /^file/i.test(unit) ? 'files-max' : 'lines-max', count: Number(count) }
  return DEPENDENCIES.test(wish) ? { kind: 'no-new-dependencies' } : null
}

const PREFIX = /^(?:do not|don['\u2019]t|must not|never|forbidden:)\s*/i

// A text in backticks stands as `#` here: what is in it can be any words.
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, '#')
}

const LIST = String.raw`#(?:(?:,|,? and|,? or) #)*`
const ONLY_CODE = new RegExp(`^${LIST}$`, 'i')
const CHANGE = '(?:touch|edit|modify|change|write(?: to)?|rewrite|delete|remove|rename|move)'
const PLACE = '(?:(?:anything|files?|code) (?:in|under|below) |the (?:file|folder|directory) )?'
const PATHS = new RegExp(`^${CHANGE} ${PLACE}${LIST}$`, 'i')
const COMMANDS = new RegExp(`^(?:run|execute) (?:the command )?${LIST}$`, 'i')
const SIZES = new RegExp(`^${CHANGE} more than (\\d{1,6}) (files?|lines?)(?: of code)?$`, 'i')
const KINDS = '(?: (?:any|new|external|further|other|more|third-party|npm))*'
const PACKAGES = '(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))'
const DEPENDENCIES = new RegExp(`^(?:add|install|introduce)${KINDS} ${PACKAGES}$`, 'i')

function isPathPattern(text: string): boolean {
  return /^[^\s'"]+$/.test(text) && /[/.*]/.test(text) && !text.startsWith('/') && !text.includes('..')
}
