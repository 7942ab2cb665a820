/** The most alternatives that one glob may mean. */
export const ALTERNATIVES_MAX = 1000

// A group that is never closed is text, and its commas as well: `all` is the product across them.
type Group = { readonly start: number; sum: number; product: number; all: number }

/**
 * How many alternatives the braces of a glob mean, without expanding them: `{a,b}{1..3}` means 6. At least as many as
 * the expansion has; infinite for braces that are nested more deeply than anybody writes.
 */
export function alternativesIn(glob: string): number {
  const open: Group[] = [{ start: 0, sum: 0, product: 1, all: 1 }]
  for (let at = 0; at < glob.length; at++) {
    const group = open.at(-1) as Group
    if (glob[at] === '\\') at++
    else if (glob[at] === '{') open.push({ start: at + 1, sum: 0, product: 1, all: 1 })
    else if (glob[at] === ',' && open.length > 1) [group.sum, group.product] = [group.sum + group.product, 1]
    else if (glob[at] === '}' && open.length > 1) close(open, glob.slice(group.start, at))
    if (open.length > DEPTH_MAX) return Infinity
  }
  return open.reduce((product, { all }) => product * all, 1)
}

const DEPTH_MAX = 10

function close(open: Group[], inside: string): void {
  const { sum, product } = open.pop() as Group
  const around = open.at(-1) as Group
  const count = Math.max(sum + product, rangeLength(inside))
  around.product *= count
  around.all *= count
}

/** The length of a range such as `1..12`, `a..f` or `0..100..10`; 1 for anything else. */
function rangeLength(inside: string): number {
  const [, from = '', to = '', step = '1'] = /^(-?\d+|.)\.\.(-?\d+|.)(?:\.\.(-?\d+))?$/.exec(inside) ?? []
  if (from === '') return 1
  return Math.floor(Math.abs(rangeEnd(to) - rangeEnd(from)) / Math.max(1, Math.abs(Number(step)))) + 1
}

function rangeEnd(text: string): number {
  return /^-?\d+$/.test(text) ? Number(text) : (text.codePointAt(0) ?? 0)
}
