/** What a row of a table asks of the facts: each fact has the value that is named here, or one of them. */
export type Condition<Facts> = { readonly [F in keyof Facts]?: Facts[F] | readonly Facts[F][] }

/**
 * Finds the first row whose condition is met; null when none is. A row that reads a fact that is not there yet asks for
 * it: facts are gathered in the order in which they are named, row by row.
 */
export function firstRow<Facts extends object, Row extends { readonly when: Condition<Facts> }>(
  rows: readonly Row[],
  facts: Partial<Facts>,
): Row | { readonly need: keyof Facts } | null {
  for (const row of rows) {
    const met = isMet(row.when, facts)
    if (met === true) return row
    if (met !== false) return { need: met.need }
  }
  return null
}

function isMet<Facts>(when: Condition<Facts>, facts: Partial<Facts>): boolean | { readonly need: keyof Facts } {
  for (const fact of Object.keys(when) as (keyof Facts)[]) {
    const [wanted, found]: [unknown, unknown] = [when[fact], facts[fact]]
    if (found === undefined) return { need: fact }
    if (Array.isArray(wanted) ? !wanted.includes(found) : wanted !== found) return false
  }
  return true
}
