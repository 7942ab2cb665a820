import { regexEnd } from './regex-literal.ts'

/**
 * True for a script of sed that only prints: it has no command that writes a file, or runs a program. What the
 * versions of sed may read in different ways is not accepted.
 */
export function isPlainSed(script: string): boolean {
  let at: number | null = 0
  while (at !== null && at < script.length) at = afterCommand(script, at)
  return at !== null
}

/** The index behind the command that begins here, and behind what separates it from the next; null for any other. */
function afterCommand(script: string, from: number): number | null {
  const at = afterAddresses(script, from + lengthOf(/^[\s;]*/, script, from))
  if (at === null || at === script.length) return at
  const command = script.charAt(at)
  if (command === 's' || command === 'y') return afterReplacement(script, at)
  if (command === '{' || command === '}') return at + 1
  const length = SIMPLE.reduce((most, it) => Math.max(most, lengthOf(it, script, at)), 0)
  return length === 0 ? null : at + length
}

// Each with what ends it. The text of `a`, `i` and `c` and a comment go up to the end of the line, and so may a label.
const END = String.raw`(?:[ \t]*(?:[;\n]|(?=[}#])|$))`
const SIMPLE = [
  new RegExp(String.raw`^[=dDgGhHlnNpPxqQzF]${END}`),
  new RegExp(String.raw`^[lqQ][ \t]*\d+${END}`),
  /^:[ \t]*\w+[ \t]*(?:[;\n]|$)/,
  /^[btT](?:[ \t]*\w+)?[ \t]*(?:[;\n]|$)/,
  /^[aic][ \t]*[^\s\\][^\\\n]*(?:\n|$)/,
  /^#[^\n]*(?:\n|$)/,
]

function afterAddresses(script: string, from: number): number | null {
  const first = afterAddress(script, from)
  const comma = first === null || first === from ? 0 : lengthOf(/^,[+~]?/, script, first)
  if (first === null) return null
  const second = comma === 0 ? first : afterAddress(script, first + comma)
  if (second === null || (comma > 0 && second === first + comma)) return null
  return second + lengthOf(/^[ \t]*!?[ \t]*/, script, second)
}

function afterAddress(script: string, from: number): number | null {
  const isCustom = script.charAt(from) === '\\'
  const delimiter = script.charAt(isCustom ? from + 1 : from)
  if (!isCustom && delimiter !== '/') return from + lengthOf(/^(?:\d+(?:~\d+)?|\$)/, script, from)
  if (!DELIMITER.test(delimiter)) return null
  const end = regexEnd(script, from + (isCustom ? 2 : 1), delimiter)
  return end === null ? null : end + lengthOf(/^[IM]*/, script, end)
}

const DELIMITER = /^[/|#,@:!%~+_=]$/

function afterReplacement(script: string, at: number): number | null {
  const delimiter = script.charAt(at + 1)
  const middle = DELIMITER.test(delimiter) ? regexEnd(script, at + 2, delimiter) : null
  const end = middle === null ? null : regexEnd(script, middle, delimiter)
  if (end === null) return null
  const flags = lengthOf(
    script.charAt(at) === 's' ? new RegExp(`^[gpiIM0-9]*${END}`) : new RegExp(`^${END}`),
    script,
    end,
  )
  return flags > 0 || end === script.length ? end + flags : null
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  return pattern.exec(text.slice(at))?.[0].length ?? 0
}
