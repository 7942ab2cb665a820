/**
 * A line in which each sum of counters is `1`. Arithmetic on a variable evaluates its text, so it may run a command; a
 * counter is a variable that the line sets to a number before all else, and that gets nothing but such sums.
 */
export function withoutCounters(line: string): string {
  const names = [...(FIRST_ASSIGNMENTS.exec(line)?.[0] ?? '').matchAll(/(\w+)=\d+/g)].map(it => it[1] ?? '')
  const counters = new Set(names.filter(it => /^[a-z]\w*$/.test(it)))
  if (counters.size === 0 || counters.size > COUNTERS_MAX || !namesVariablesOpenly(line)) return line
  const isSum = (text: string) =>
    /^(?!.*(?:\*\*|\b0\d))[\w\s$+*<=!&|?:;-]*$/s.test(text) &&
    (text.match(/[A-Za-z_]\w*/g) ?? []).every(it => counters.has(it))
  const sum = (text: string) => (text.includes(';') ? '((1; 1; 1))' : '((1))')
  const result = line
    .replace(/\(\(([^()]*)\)\)/g, (whole, text: string) => (isSum(text) ? sum(text) : whole))
    .replace(COMPARED, (whole, name: string) => (counters.has(name) ? '1' : whole))
  return [...counters].every(it => isOnlyRead(result, it)) ? result : line
}

// The line is searched for each of them, and an agent waits meanwhile.
const COUNTERS_MAX = 50

/**
 * A line that begins with a loop over file names, in which `"$name"` is `./"$name"`: it is an operand, since none of
 * the names begins with a dash.
 */
export function withFileLoop(line: string): string {
  const [header, name = ''] = FILE_LOOP.exec(line) ?? []
  if (header === undefined || !namesVariablesOpenly(line)) return line
  const body = line.slice(header.length)
  const isSet = new RegExp(String.raw`(?<![-$\w./{])${name}(?![\w./-])|\$\{${name}(?!\})`).test(body)
  return isSet ? line : header + body.replace(new RegExp(String.raw`(?<=\s)"\$\{?${name}\}?"`, 'g'), `./"$${name}"`)
}

const FIRST_ASSIGNMENTS = /^\s*(?:[a-z]\w*=(?:0|[1-9]\d*)\s*(?:;|\n|&&)\s*)*(?:for \(\([a-z]\w*=(?:0|[1-9]\d*);)?/
const COMPARED = /(?<=\[ )"?\$\{?(\w+)\}?"?(?= -(?:lt|le|gt|ge|eq|ne) )/g
const FILE_LOOP = /^\s*for ([a-z]\w*) in(?: +[\w./][\w./*-]*)+ *[;\n]/

/** True when every variable that the line sets is spelled in it, and not put together from parts. */
function namesVariablesOpenly(line: string): boolean {
  return !/\\|\$['"]|\w['"]\w|''|""/.test(line) && !SETS_BY_NAME.test(line.replace(PLAIN_READ, ''))
}

const PLAIN_READ = /\bread(?: -r)?(?: [a-z]\w*)+(?= *(?:[;\n<|]|$))/g
const SETS_BY_NAME =
  /\b(?:read|mapfile|readarray|export|declare|typeset|local|readonly|getopts|unset|let|eval|source|printf -v)\b/

// Any other mention may give it a text: `read i`, `for i in`, `declare i=…`.
function isOnlyRead(line: string, name: string): boolean {
  const rest = line.replace(new RegExp(String.raw`(?<![\w$])${name}=(?:0|[1-9]\d*|\$\(\(1\)\))(?=[\s;&)]|$)`, 'g'), '')
  return !new RegExp(String.raw`(?<!\$|\$\{)\b${name}\b|\$\{${name}\b(?!\})`).test(rest)
}
