import { forEachChild, type HereDoc, type ParsedScript, type SyntaxNode } from 'unbash'

/**
 * True when the syntax tree of a script accounts for each byte of its text. The text between the parts of a node must
 * be what the grammar has there, and the text of a part without parts must expand nothing; so a part that the parser
 * ends too early, or omits, is noticed whatever the parser took it for.
 */
export function coversText(script: ParsedScript, text: string): boolean {
  return !ODD_CHARACTERS.test(text) && isCovered(script, textWithoutDocuments(script, text))
}

// Some shells skip them, or end the line there; for others they are a part of a word.
const ODD_CHARACTERS = /[\0\r\v\f\u0085\u2028\u2029]|^\ufeff/

type Covered = {
  readonly text: string
  /** The text with spaces in place of here-documents, which stand in the middle of other parts. */
  readonly between: string
  /** Where the node is: in a substitution, in an expansion in braces, and whether that is in double quotes. */
  readonly isSubstituted: boolean
  readonly braces: 'none' | 'plain' | 'quoted'
  readonly isQuoted: boolean
  /** True at `=~`, where parentheses are a part of the word. */
  readonly isRegex: boolean
}

function textWithoutDocuments(script: ParsedScript, text: string): Covered {
  const documents: { readonly pos: number; readonly end: number }[] = []
  const collect = (node: SyntaxNode): void => {
    if (node.type === 'HereDoc') documents.push(node.body, ...(node.closing ? [node.closing] : []))
    if (node.type !== 'Script' || node.source === undefined) forEachChild(node, collect)
  }
  collect(script)
  let between = text
  for (const { pos, end } of documents) between = between.slice(0, pos) + ' '.repeat(end - pos) + between.slice(end)
  return { text, between, isSubstituted: false, braces: 'none', isQuoted: false, isRegex: false }
}

function isCovered(node: SyntaxNode, covered: Covered): boolean {
  const children = childrenOf(node)
  const form = FORMS.get(node.type)
  const own = textAround(node, children, covered)
  if (!form || own === null || !form.test(own)) return false
  if (!hasPlainText(node, own, covered)) return false
  const within = textWithin(node, covered)
  return children.every(it => isCovered(it, within)) && (node.type !== 'HereDoc' || isDocumentCovered(node, within))
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  forEachChild(node, child => {
    if (child.type !== 'HereDocBody') children.push(child)
  })
  return children.sort((a, b) => a.pos - b.pos)
}

/** The text of a node with a NUL in place of each child; null when they are not one after the other within it. */
function textAround(node: SyntaxNode, children: readonly SyntaxNode[], { between }: Covered): string | null {
  let at = node.pos
  let own = ''
  for (const { pos, end } of children) {
    if (pos < at || end > node.end) return null
    own += `${between.slice(at, pos)}\0`
    at = end
  }
  return own + between.slice(at, node.end)
}

function textWithin(node: SyntaxNode, covered: Covered): Covered {
  switch (node.type) {
    case 'Script':
      return { ...covered, braces: 'none', isQuoted: false, isRegex: false }
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return { ...covered, isSubstituted: true }
    case 'DoubleQuoted':
    case 'LocaleString':
      return { ...covered, isQuoted: true }
    case 'TestBinary':
      return { ...covered, isRegex: node.operator === '=~' }
    case 'ParameterExpansion':
      return { ...covered, braces: covered.isQuoted || covered.braces === 'quoted' ? 'quoted' : 'plain' }
    default:
      return covered
  }
}

function isDocumentCovered({ body, delimiter }: HereDoc, covered: Covered): boolean {
  // Nothing is expanded in it.
  if (/^['"\\]/.test(delimiter?.text ?? '')) return true
  const parts = childrenOf(body)
  const within: Covered = { ...covered, between: covered.text, isQuoted: true }
  const own = textAround(body, parts, within)
  const form = body.parts ? /^\0*$/ : FORMS.get('Literal')
  return own !== null && form?.test(own) === true && parts.every(it => isCovered(it, within))
}

/** True for a node whose own text means the same in each shell, where it stands. */
function hasPlainText(node: SyntaxNode, own: string, { braces, isQuoted, isSubstituted, isRegex }: Covered): boolean {
  switch (node.type) {
    case 'Script':
    case 'CompoundList':
      // Older shells look for the end of a substitution without knowing comments.
      return !isSubstituted || !/#[^\n]*["'`()\\]/.test(own)
    case 'Literal':
    case 'Glob':
    case 'Word':
      if (braces === 'none') return isQuoted || UNQUOTED.test(isRegex ? own.replace(/[()|]/g, '') : own)
      if (/[{}]|\$['"]|[<>=]\(/.test(own.replace(ANSI_TEXT, ''))) return false
      return braces === 'plain' ? UNQUOTED_IN_BRACES.test(own) : own.split("'").length % 2 === 1
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      // In double quotes some shells take these quotes in braces for characters.
      return braces === 'none' || !(braces === 'quoted' ? /["$`{}]|\\[^nrt0\\]/ : /[{}]/).test(own.slice(1))
    default:
      return true
  }
}

// In quotes and braces, bash reads it as one text and other shells as characters, which end at the same place.
const ANSI_TEXT = /\$'(?:\\[nrt0\\]|[\w ,.:;/-])*'/g

// A backslash before any character, and no other character that separates words or quotes them.
const UNQUOTED = /^(?:\\[^]|[^\\"' \t\n;&|<>()])*\\?$/
const UNQUOTED_IN_BRACES = /^(?:\\[^]|[^\\"'()])*\\?$/

// Space between words; between commands it has what separates them, and comments.
const _ = String.raw`(?:[ \t]|\\\n)*`
const __ = String.raw`(?:[ \t\n;&]|\\\n|(?<=^|[ \t\n;&|()\0])(?<!\\\n)#[^\n]*(?:\n|$))*`
const NAME = String.raw`(?:[A-Za-z_]\w*)`
// `{}`, `@{u}` and the like are characters, and so is a dollar that begins nothing.
const CHARACTER = String.raw`\\[^]|[^\\$\`]|\$(?![\w({[@*#?!$-])`
const SUBSTITUTION = String.raw`\$\(${__}\0${__}\)|\`${__}\0${__}\``
const PARAMETER = String.raw`[!#]?(?:\w+|[-@*#?$!])`
const OPERATION = String.raw`:?[-=+?]\0|(?:##?|%%?)\0|\/[/#%]?\0(?:\/?\0)?|:\0(?::\0)?|(?:\^\^?|,,?)\0?|@\0|[@*]`
const ARITHMETIC = String.raw`[ \t\n\0()+\-*/%<>=!&|^~?:,]*`

/** The text that the nodes of a type may have, with a NUL for each child. Nodes of other types are hazards. */
const FORMS: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['Script CompoundList', `${__}(?:\0${__})*`],
      ['Statement', `\0${__}`],
      ['AndOr', `\0(?:${_}(?:&&|\\|\\|)${__}\0)*`],
      ['Pipeline', `(?:\0${_})*?\0(?:${_}\\|&?${__}\0)*`],
      ['Time', `time(?:${_}-p)?(?:${_}--)?`],
      ['Negation', '!'],
      ['Command Redirected', `\0(?:${_}\0)*`],
      ['If', `if${__}\0${__}then${__}\0(?:${__}\0)*?(?:${__}else${__}\0)?${__}fi`],
      ['Elif', `elif${__}\0${__}then${__}\0`],
      ['For Select', `(?:for|select)${_}\0${__}(?:in(?:${_}\0)*)?${__}do${__}\0${__}done`],
      ['While', `(?:while|until)${__}\0${__}do${__}\0${__}done`],
      ['Subshell', `\\(${__}\0${__}\\)`],
      ['BraceGroup', `\\{${__}\0${__}\\}`],
      ['Case', `case${_}\0${__}in${__}(?:\0${__})*esac`],
      ['CaseItem', `\\(?${_}\0(?:${_}\\|${_}\0)*?${_}\\)${__}\0${__}(?:;;&?|;&)?`],
      ['ArithmeticFor', `for${_}\\(\\((?:[ \t\n;]|\0)*\\)\\)${__}do${__}\0${__}done`],
      ['TestCommand', `\\[\\[${__}\0${__}\\]\\]`],
      ['TestUnary', `(?:-[a-zA-Z]${_})?\0`],
      ['TestBinary', `\0${_}[=!<>~]{1,2}${_}\0|\0${_}-[a-z]{2}${_}\0`],
      ['TestLogical', `\0(?:${__}(?:&&|\\|\\|)${__}\0)*`],
      ['TestNot', `(?:\0${_})*\0`],
      ['TestGroup', `\\(${__}\0${__}\\)`],
      ['ArithmeticCommand', `\\(\\(${ARITHMETIC}\\)\\)`],
      ['ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup', ARITHMETIC],
      ['ArithmeticWord', `\0+|[\\w#]*`],
      ['Word', `\0+|(?:${CHARACTER})*\\\\?`],
      ['Literal Glob BraceExpansion', `(?:${CHARACTER})*\\\\?`],
      ['SingleQuoted', `'[^']*'`],
      ['AnsiCQuoted', String.raw`\$'(?:\\[^]|[^'\\])*'`],
      ['DoubleQuoted', `"\0*"`],
      ['LocaleString', `\\$"\0*"`],
      ['SimpleExpansion', `\\$(?:${NAME}|[\\d@*#?!$-])`],
      ['ParameterExpansion', `\\$\\{${PARAMETER}(?:\\[\0\\])?\0?\\}`],
      ['Default Remove Replace Slice CaseModification Transform Names', OPERATION],
      ['CommandExpansion ArithmeticCommandExpansion', SUBSTITUTION],
      ['ProcessSubstitution', `[<>]\\(${__}\0${__}\\)`],
      ['ArithmeticExpansion', `\\$\\(\\(${ARITHMETIC}\\)\\)`],
      ['Assignment', `${NAME}(?:\\[\0\\])?\\+?=\0`],
      ['ArrayValue', `\\((?:${__}\0)*${__}\\)`],
      ['Redirect', `\0?(?:[<>]&|&>>?|>[>|]?|<>?)${_}\0`],
      ['HereString', `\0?<<<${_}\0`],
      ['HereDoc', `\0?<<-?${_}\0`],
      ['FileDescriptor', '\\d+'],
      ['HereDocDelimiter', String.raw`'[^'\n]*'|"[^"\\$\n\`]*"|\\?[\w.!:+-]+`],
    ] as const
  ).flatMap(([types, form]) => types.split(' ').map((type): [string, RegExp] => [type, new RegExp(`^(?:${form})$`)])),
)
