/** A moment in the time zone of the reader: `2026-11-22` and `13:51:07`. Takes ISO 8601, or milliseconds since 1970. */
export function localTime(at: string | number): { readonly day: string; readonly time: string } {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return { day: String(at), time: '' }
  const joined = (separator: string, ...numbers: number[]) =>
    numbers.map(it => String(it).padStart(2, '0')).join(separator)
  return {
    day: joined('-', date.getFullYear(), date.getMonth() + 1, date.getDate()),
    time: joined(':', date.getHours(), date.getMinutes(), date.getSeconds()),
  }
}

/** A moment and its distance from now: `13:51, 2 h ago`, with the date unless it is today's. */
export function momentText(at: string, now: number): string {
  const { day, time } = localTime(at)
  if (time === '') return day
  const date = day === localTime(now).day ? '' : `${day} `
  return `${date}${time.slice(0, 5)}, ${timeAgo(now - Date.parse(at))}`
}

function timeAgo(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return minutes < -1 ? 'in the future' : 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / (24 * 60))} days ago`
}
