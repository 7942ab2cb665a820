/**
 * A line broken at words to the width of a terminal, each part with the indent of the line. What is between backticks
 * or after `$` is a command to copy, so it is never broken: not even when it is longer than the width.
 */
export function wrapLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line
  const indent = indentOf(line, columns)
  let [wrapped, width] = ['', 0]
  for (const [part, gap = '', word = ''] of line.matchAll(WORDS)) {
    const isTooLong = width + widthOf(part) > columns
    if (isTooLong && width + gap.length > indent.length) {
      wrapped += `\n${indent}${word}`
      width = indent.length + widthOf(word)
    } else {
      wrapped += part
      width += widthOf(part)
    }
  }
  return wrapped
}

// What has one colour, such as a number with its noun, stays together as well.
// oxlint-disable-next-line no-control-regex
const WORDS = /( *)(\$ .*|[^\s`]*`[^`]*`[^\s`]*|[^\s`\u001B]*\u001B\[\d+m[^\u001B]*\u001B[^\s`]*|\S+)/g

// The text after a label such as `session` or `block` stays beside it, if that leaves enough of the width.
function indentOf(line: string, columns: number): string {
  const plain = line.replace(COLOURS, '')
  const [spaces = ''] = /^ */.exec(plain) ?? []
  const [label = ''] = /^ *[a-z]+ {2,}|^ *(?:review|conflict) /.exec(plain) ?? []
  return ' '.repeat([label, spaces].map(it => it.length).find(it => it > 0 && it <= columns / 2) ?? 0)
}

// Only the colours of `paint-line.ts`: sequences of others were escaped before.
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001B\[\d+m/g

/** The number of columns that a text takes: characters of East Asia and emoji take two, marks on a letter none. */
function widthOf(text: string): number {
  const plain = text.replace(COLOURS, '')
  if (/^[ -~]*$/.test(plain)) return plain.length
  return plain.replace(/\p{M}/gu, '').replace(WIDE, '--').replace(/./gu, '-').length
}

const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{3FFFD}]/gu
