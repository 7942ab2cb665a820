/** A day, a week or a month in the time zone of the reader, from its first moment up to that of the next one. */
export type Period = { readonly label: string; readonly from: number; readonly to: number }

/** Divides the time between two moments (milliseconds since 1970): into days, or if these are many, weeks or months. */
export function periodsBetween(first: number, last: number): readonly Period[] {
  const unit = unitFor(last - first)
  const periods: Period[] = []
  for (let from = startOf(unit, new Date(first)); from.getTime() <= last;) {
    const to = nextOf(unit, from)
    periods.push({ label: labelOf(unit, from), from: from.getTime(), to: to.getTime() })
    from = to
  }
  return periods
}

type Unit = 'day' | 'week' | 'month'

const DAY = 86_400_000
const DAYS_MAX = 31
const WEEKS_MAX = 60

function unitFor(length: number): Unit {
  if (length < DAYS_MAX * DAY) return 'day'
  return length < WEEKS_MAX * 7 * DAY ? 'week' : 'month'
}

function startOf(unit: Unit, at: Date): Date {
  const year = at.getFullYear()
  const month = at.getMonth()
  const day = at.getDate()
  if (unit === 'month') return new Date(year, month, 1)
  // A week begins on Monday.
  return new Date(year, month, unit === 'day' ? day : day - ((at.getDay() + 6) % 7))
}

function nextOf(unit: Unit, at: Date): Date {
  const year = at.getFullYear()
  const month = at.getMonth()
  const day = at.getDate()
  return unit === 'month' ? new Date(year, month + 1, 1) : new Date(year, month, day + (unit === 'day' ? 1 : 7))
}

function labelOf(unit: Unit, at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const month = `${at.getFullYear()}-${two(at.getMonth() + 1)}`
  if (unit === 'month') return month
  return unit === 'day' ? `${month}-${two(at.getDate())}` : `week of ${month}-${two(at.getDate())}`
}

/** A moment that a filter names: a day, which begins at local midnight, or ISO 8601. Null for any other text. */
export function momentOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?:$|T)/.test(text)) return null
  const at = Date.parse(text.length === 10 ? `${text}T00:00` : text)
  return Number.isNaN(at) ? null : at
}

/** The filter of a period within one that may begin later. */
export function periodFilter(since: string | undefined, { from, to }: Period) {
  const begin = since === undefined ? null : momentOf(since)
  return { since: begin !== null && begin > from ? since : isoTime(from), until: isoTime(to) }
}

/** A moment as ISO 8601. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
