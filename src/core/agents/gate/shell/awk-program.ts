import { regexEnd } from './regex-literal.ts'

/**
 * True for a program of awk that only prints to its output: it writes no file, and runs no program. Where `/` may
 * begin a regular expression or divide, it is not accepted, since one of the two would hide what follows.
 */
export function isPlainAwk(program: string): boolean {
  const state: AwkState = { last: '', printing: null, groups: [] }
  let at: number = 0
  while (at < program.length) {
    const token = tokenAt(program, at, state)
    if (token === null || !accepts(state, token)) return false
    at += token.length
  }
  return true
}

type AwkState = {
  /** The token before, without spaces and comments. */
  last: string
  /** How many groups were open at the `print` that has not ended; null outside of one. */
  printing: number | null
  /** The open parentheses, brackets and braces, each with the word before it. */
  readonly groups: { readonly open: string; readonly before: string }[]
}

function tokenAt(program: string, at: number, { last }: AwkState): string | null {
  const rest = program.slice(at)
  if (rest.startsWith('/') && REGEX_FOLLOWS.test(last)) {
    const end = rest.startsWith('/=') ? null : regexEnd(program, at + 1, '/')
    return end === null ? null : program.slice(at, end)
  }
  if (rest.startsWith('/') && !DIVISION_FOLLOWS.test(last)) return null
  return TOKEN.exec(rest)?.[0] ?? null
}

// A newline, an operator or an open group can't be divided, and a name, a number or an element can't precede a pattern.
const REGEX_FOLLOWS = /^(?:|\n|[{}(,;!~]|!~|&&|\|\|)$/
const DIVISION_FOLLOWS = /^(?:(?!(?:print|printf|return|case|getline|length|in|delete|else|do|exit)$)\w+|\]|group\))$/
const TOKENS = [
  // The only files that a program may write.
  String.raw`>[ \t]*"/dev/std(?:err|out)"(?=[ \t]*(?:[;}\n]|$))`,
  ...[String.raw`[ \t]+`, String.raw`\\\n`, String.raw`\n`, String.raw`#[^\n]*`, String.raw`"(?:[^"\\\n]|\\.)*"`],
  ...[
    String.raw`[A-Za-z_]\w*`,
    String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])`,
    String.raw`&&|\|\||\+\+|--|!~|[-+*%^!=<>/]=`,
  ],
  String.raw`[-+*/%^!<>=~?:,;$(){}[\]]`,
]
const TOKEN = new RegExp(`^(?:${TOKENS.join('|')})`)

function accepts(state: AwkState, token: string): boolean {
  if (/^(?:[ \t]|\\\n|#)/.test(token)) return true
  const { groups } = state
  // In parentheses it compares.
  const isRedirect = state.printing !== null && /^>=?$/.test(token) && groups.at(-1)?.open !== '('
  if (token === 'system' || isRedirect) return false
  // A redirect of `print` begins with `>`; it may also follow a new line.
  if (/^[;}]$/.test(token) && groups.length <= (state.printing ?? 0)) state.printing = null
  if (/^printf?$/.test(token)) state.printing = groups.length
  if (/^[([{]$/.test(token)) groups.push({ open: token, before: state.last })
  const closed = /^[)\]}]$/.test(token) ? groups.pop() : undefined
  // After the condition of a statement, `/` begins a pattern.
  const isGroup = closed?.open === '(' && !/^(?:if|while|for|switch)$/.test(closed.before)
  state.last = token === ')' && isGroup ? 'group)' : token
  return true
}
