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

/** What a list of lines is filtered by. An empty intent or model stands for lines without one. */
export type LineQuery = {
  /** Of the commits of a range; without one, of those of HEAD. */
  readonly range?: string | undefined
  readonly intent?: string | undefined
  readonly author?: 'human' | 'ai' | 'mixed' | 'unknown' | 'kotef' | 'recorded' | undefined
  readonly model?: string | undefined
  /** The author that git has of the commit. */
  readonly person?: string | undefined
  /** From a moment on and before another one, by the committer's date: a day, or ISO 8601. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Only the lines that HEAD still has. */
  readonly alive?: 'yes' | undefined
  /** Only those of this file; of those that HEAD still has, by the path in HEAD. */
  readonly file?: string | undefined
  /** `no` leaves out the files of the policy, which belong to no intent. */
  readonly policy?: 'no' | undefined
  /** Only of commits with a note, or without one. */
  readonly note?: 'yes' | 'no' | undefined
  readonly from?: number | undefined
}

/** What a list of violations is filtered by. */
export type ViolationQuery = Pick<LineQuery, 'intent' | 'since' | 'until' | 'from'> & {
  readonly rule?: string | undefined
}

/** What a list of changed files is filtered by: the class of the change in the commit's note. */
export type ClassQuery = Pick<LineQuery, 'intent' | 'since' | 'from'> & { readonly class?: string | undefined }

/** What the list of commits is filtered by. */
export type CommitQuery = Pick<LineQuery, 'intent' | 'since' | 'from'> & {
  /** Those whose lines are counted, those from before kotef was set up, or those of governance. */
  readonly kind?: 'counted' | 'older' | 'governance' | undefined
}

/** The lists of an intent's page. */
export type IntentListName = 'sessions' | 'commits' | 'files' | 'declarations' | 'history' | 'writes'

/** What such a list is filtered by, and the number of its first row, from 0. */
export type IntentListQuery = {
  /** A kind of happening, such as `violation`; of sessions, `live`. */
  readonly kind?: string | undefined
  /** A day as `2026-11-22`, in the time zone of the server. */
  readonly day?: string | undefined
  readonly from?: number | undefined
}

/** What the list of intents is filtered by, and the number of its first row, from 0. */
export type IntentsQuery = { readonly status?: string | undefined; readonly from?: number | undefined }

/** How a file is shown: its colours, the lines of one group only, and the first of them, from 0. */
export type FileQuery = {
  readonly by?: 'intent' | 'author' | undefined
  readonly only?: string | undefined
  readonly from?: number | undefined
}

/** The addresses of all pages, relative to the root: a page from the server and an exported one have the same. */
export const links = {
  now: () => './',
  records: (query: RecordQuery = {}) => `records${queryText(query)}`,
  changes: (query: { readonly state?: 'outside' | 'untraced'; readonly from?: number } = {}) =>
    `changes${queryText(query)}`,
  intents: (query: IntentsQuery = {}) => `intents${queryText(query)}`,
  intent: (id: string) => `intents/${pathPart(id)}`,
  /** A list of what an intent has. */
  intentList: (id: string, list: IntentListName, query: IntentListQuery = {}) =>
    `intents/${pathPart(id)}/${list}${queryText(query)}`,
  file: (path: string, query: FileQuery = {}) => `files/${path.split('/').map(pathPart).join('/')}${queryText(query)}`,
  ranges: (query: CommitQuery = {}) => `ranges${queryText(query)}`,
  commit: (oid: string) => `ranges/${pathPart(`${oid}^!`)}`,
  range: (range: string) => `ranges/${pathPart(range)}`,
  handovers: () => 'handover',
  handover: (session: string) => `handover/${pathPart(session)}`,
  stats: (query: { readonly since?: string | undefined; readonly intent?: string | undefined } = {}) =>
    `stats${queryText(query)}`,
  lines: (query: LineQuery = {}) => `lines${queryText(lineParameters(query))}`,
  violations: (query: ViolationQuery = {}) => `violations${queryText(query)}`,
  classes: (query: ClassQuery = {}) => `classes${queryText(query)}`,
}

// Another program may have written half of a surrogate pair into the ledger, which can't be encoded.
function pathPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** The parameters of an address, those that are named, in the order in which they are given. */
function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const named = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return named.length === 0 ? '' : `?${new URLSearchParams(named)}`
}

// A server takes an empty parameter for a field of a form that nobody filled in.
function lineParameters({ intent, model, ...others }: LineQuery) {
  const without = [intent === '' ? ['intent'] : [], model === '' ? ['model'] : []].flat().join(',')
  return { ...others, intent: intent || undefined, model: model || undefined, without: without || undefined }
}
