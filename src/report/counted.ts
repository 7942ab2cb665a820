/** A number of things in words: `1 file`, `2 files`. */
export function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
