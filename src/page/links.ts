/** What a page of records is filtered by. Each is a parameter of its address; what is not named is not asked. */
export type RecordQuery = {
  readonly intent?: string | undefined
  readonly session?: string | undefined
  readonly file?: string | undefined
  readonly author?: 'human' | 'ai' | 'mixed' | 'unknown' | undefined
  readonly event?: string | undefined
  /** A point in time, as ISO 8601. */
  readonly since?: string | undefined
  /** The page shows records before this one: its number in the ledger, from 0. */
  readonly before?: number | undefined
}

/** The addresses of all pages, relative to the root: a page from the server and an exported one have the same. */
export const links = {
  now: () => './',
  records: (query: RecordQuery = {}) => `records${queryText(query)}`,
  changes: (query: { readonly state?: 'outside' | 'untraced'; readonly from?: number } = {}) =>
    `changes${queryText(query)}`,
  intents: () => 'intents',
  intent: (id: string) => `intents/${encodeURIComponent(id)}`,
  file: (path: string, query: { readonly by?: 'intent' | 'author'; readonly from?: number } = {}) =>
    `files/${path.split('/').map(encodeURIComponent).join('/')}${queryText(query)}`,
  ranges: () => 'ranges',
  commit: (oid: string) => `ranges/${encodeURIComponent(`${oid}^!`)}`,
  range: (range: string) => `ranges/${encodeURIComponent(range)}`,
  handovers: () => 'handover',
  handover: (session: string) => `handover/${encodeURIComponent(session)}`,
  stats: (query: { readonly since?: string; readonly intent?: string } = {}) => `stats${queryText(query)}`,
}

/** The parameters of an address, those that are named, in the order in which they are given. */
function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const named = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return named.length === 0 ? '' : `?${new URLSearchParams(named)}`
}
