/**
 * A line in which each sum of counters is `1`. Arithmetic on a variable evaluates its text, so it may run a command; a
 * counter is a variable that the line sets to a number before all else, and that gets nothing but such sums.
 */
export function withoutCounters(line: string): string {
  const names = [...(FIRST_ASSIGNMENTS.exec(line)?.[0] ?? '').matchAll(/(\w+)=\d+/g)].map(it => it[1] ?? '')
  const counters = new Set(names.filter(it => /^[a-z]\w*$/.test(it)))
  if (counters.size === 0) return line
  const isSum = (text: string) =>
    /^[\w\s$+*<=!&|?:;-]*$/.test(text) && (text.match(/[A-Za-z_]\w*/g) ?? []).every(it => counters.has(it))
  const result = line
    .replace(/\(\(([^()]*)\)\)/g, (whole, sum: string) =>
      isSum(sum) ? (sum.includes(';') ? '((1; 1; 1))' : '((1))') : whole,
    )
    .replace(/(?<=\[ )"?\$\{?(\w+)\}?"?(?= -(?:lt|le|gt|ge|eq|ne) )/g, (whole, name: string) =>
      counters.has(name) ? '1' : whole,
    )
  return [...counters].every(it => isOnlyRead(result, it)) ? result : line
}

const FIRST_ASSIGNMENTS = /^\s*(?:[a-z]\w*=\d+\s*(?:;|\n|&&)\s*)*(?:for \(\([a-z]\w*=\d+;)?/

// Any other mention may give it a text: `read i`, `for i in`, `declare i=…`.
function isOnlyRead(line: string, name: string): boolean {
  const rest = line.replace(new RegExp(String.raw`(?<![\w$])${name}=(?:\d+|\$\(\(1\)\))(?=[\s;&)]|$)`, 'g'), '')
  return !new RegExp(String.raw`(?<!\$|\$\{)\b${name}\b|\$\{${name}\b(?!\})`).test(rest)
}
