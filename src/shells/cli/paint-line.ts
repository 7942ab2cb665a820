import { styleText } from 'node:util'

/** A line of an answer with the colours of a terminal: commits as in git, intents, agents. The text says the same. */
export function paintLine(line: string, kind: 'blame' | 'list'): string {
  if (kind === 'list') return paintWords(line)
  const [head = ''] = /^.*?\d\) /.exec(line) ?? []
  return `${paintWords(head)}${line.slice(head.length)}`
}

function paintWords(text: string): string {
  return text
    .replace(/(^ *|\b(?:commit) +)([0-9a-f]{10})\b/g, (_, before: string, oid: string) => before + paint('yellow', oid))
    .replace(/\b[A-Z][A-Z0-9]*-\d+\b/g, it => paint('cyan', it))
    .replace(/\bai\b(?= [\w.-]| *$|\s{2})/g, it => paint('magenta', it))
    .replace(/^ *(?:violation|block)\b|(?<=^[\d:]{8} +)violation\b/, it => paint('red', it))
}

// The caller knows that this is for a terminal.
function paint(colour: 'cyan' | 'magenta' | 'red' | 'yellow', text: string): string {
  return styleText(colour, text, { validateStream: false })
}
