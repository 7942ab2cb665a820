/** The first row that an address asks for, from 0; anything but a number is 0. */
export function rowInQuery(query: URLSearchParams): number {
  const text = query.get('from') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}
