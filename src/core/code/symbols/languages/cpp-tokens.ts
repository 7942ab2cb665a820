/** A directive without the white space that means nothing in it. Within a macro's body it is there, or it is not. */
export function directiveText(source: string): string {
  const [, name = '', rest = ''] = /^\s*#\s*(\w*)([^]*)$/.exec(source) ?? []
  // Its text is printed as it is.
  if (/^(?:error|warning)$/.test(name)) return `#${name}${rest.trimEnd()}`
  const [, macro = '', parameters = '', body = rest] =
    (name === 'define' && /^[\s\\]*(\w+)(\([^)]*\))?([^]*)$/.exec(rest)) || []
  const words = [`#${name}`, macro + parameters.replace(/[\s\\]/g, ''), piecesOf(body, ' ').join('').trim()]
  return words.filter(it => it !== '').join(' ')
}

/**
 * A part of a text as the tokens of C and C++, one in each line; null where a token may be another one than it seems.
 * White space counts where a macro may make a text of it.
 */
export function tokensOf(part: string, isMacro: (name: string) => boolean): string | null {
  if (/<[:%]|%:|\?\?[=/'()!<>-]/.test(part)) return null
  const tokens: string[] = []
  // How many brackets are open within the arguments of a macro.
  let depth = 0
  for (const piece of piecesOf(part, '')) {
    // A directive after a comment: its line is not seen.
    if (piece === '#') return null
    const last = tokens.at(-1) ?? ''
    if (piece === '') {
      if (depth > 1 || (depth === 1 && !/^[(,]$/.test(last))) tokens.push(' ')
      continue
    }
    if (piece === '(' && (depth > 0 || isMacro(last))) depth++
    // Beside a whole argument, white space means nothing.
    if (depth === 1 && last === ' ' && /^[),]$/.test(piece)) tokens.pop()
    if (piece === ')' && depth > 0) depth--
    tokens.push(piece.startsWith('#') && piece !== '##' ? directiveText(piece) : piece)
  }
  return tokens.join('\n')
}

/** The tokens and comments of a text, and `space` for the white space between two of them. */
function piecesOf(text: string, space: string): string[] {
  return Array.from(text.replaceAll('\r\n', '\n').matchAll(PIECE), ([piece]) => {
    if (/^\/[/*]/.test(piece)) return piece.replace(/\s+/g, ' ').trimEnd()
    return /^(?:\s|\\\r?\n)/.test(piece) && /[^\S\n]|\n(?!$)|^\s/.test(piece) ? space : piece
  })
}

const PIECE = new RegExp(
  [
    // A directive, up to the end of its line, which may be spliced.
    String.raw`(?<=^[ \t]*)#(?:\\\r?\n|//(?:\\\r?\n|[^\n])*|/\*[^]*?\*/|"(?:\\.|[^"\\\n])*"|[^\n])*`,
    String.raw`(?:\s|\\\r?\n)+`,
    String.raw`//(?:\\\r?\n|[^\n])*|/\*[^]*?\*/`,
    String.raw`(?:u8|[uUL])?R"([^()\\\s]*)\([^]*?\)\1"`,
    String.raw`(?:u8|[uUL])?"(?:\\[^]|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\[^]|[^'\\\n])*'`,
    String.raw`\.?\d(?:[eEpP][+-]|'\w|[\w.])*|[\w$\u0080-\uffff]+`,
    String.raw`<<=|>>=|<=>|->\*|\.\.\.|::|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||##|[^]`,
  ].join('|'),
  'gm',
)
