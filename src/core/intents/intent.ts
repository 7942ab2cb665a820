import { KotefError } from '../base/failure.ts'
import { printable } from '../base/printable.ts'

export const INTENT_STATUSES = ['PENDING', 'IN_PROGRESS', 'BLOCKED', 'COMPLETED', 'ABANDONED'] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]

/** A criterion: a text that a person attests, or a command that exits with 0. */
export type Criterion = string | CommandCheck

/** A criterion with a command that decides it. */
export type CommandCheck = {
  readonly cmd: string
  /** In seconds. */
  readonly timeout?: number | undefined
  /** The folder in which it runs, relative to the worktree. */
  readonly cwd?: string | undefined
  /** The only variables that it gets, beside those of a login. */
  readonly env?: readonly string[] | undefined
  /** Globs of the files on which its result depends; without them it depends on all. */
  readonly inputs?: readonly string[] | undefined
}

/** How many paths, and lines added and removed in them, a commit may change for a standing intent. */
type ChoreLimits = { readonly files?: number | undefined; readonly lines?: number | undefined }

/** The limits of a standing intent that names none: guesses at what one looks over without a plan. */
const CHORE_LIMITS = { files: 5, lines: 100 } as const

/** The limits of a standing intent; null for any other. */
export function choreLimits({ standing, limits }: Pick<Intent, 'standing' | 'limits'>): ChoreSize | null {
  if (!standing) return null
  return { files: limits?.files ?? CHORE_LIMITS.files, lines: limits?.lines ?? CHORE_LIMITS.lines }
}

/** A number of paths, and of lines added and removed in them. */
export type ChoreSize = { readonly files: number; readonly lines: number }

/** A piece of work that is wanted, as in the registry. */
export type Intent = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** As declared in the registry, where an open intent is PENDING; or the live status, in answers. */
  readonly status: IntentStatus
  /** Globs of the paths that it may change; `!` excludes. */
  readonly owned_scope: readonly string[]
  readonly constraints: readonly string[]
  readonly acceptance_criteria: readonly Criterion[]
  readonly appetite: 'Small' | 'Batch' | 'Big'
  readonly non_goals: readonly string[]
  readonly related_specs: readonly { readonly type: string; readonly url: string }[]
  readonly depends_on: readonly string[]
  /** `refactor`: nothing that is done for it changes behaviour. */
  readonly kind?: 'refactor' | undefined
  /** True for an intent for chores: it is never completed, and serves small commits of people. */
  readonly standing?: boolean | undefined
  /** The largest commit that a standing intent serves. */
  readonly limits?: ChoreLimits | undefined
  /** ISO 8601; null when the registry has none. */
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** True for an intent whose commits may not change behaviour: by its kind, or by one of its constraints. */
export function keepsBehaviour({ kind, constraints }: Pick<Intent, 'kind' | 'constraints'>): boolean {
  return kind === 'refactor' || constraints.some(forbidsBehaviourChange)
}

/** True for a constraint that says that behaviour stays, and nothing else: "No behaviour change". */
export function forbidsBehaviourChange(constraint: string): boolean {
  return [FORBIDS, NO_CHANGE].some(it => it.test(constraint.trim()))
}

const FORBIDS = /^(?:do not|don['\u2019]t|must not|never) (?:change|alter)(?: the| any)? behaviou?r[.!]?$/i
const NO_CHANGE = /^no (?:changes? (?:of|in|to)(?: the)? behaviou?r|behaviou?r(?:al)? changes?)[.!]?$/i

/**
 * True for two intents under one id that are not versions of one intent. A picked commit can bring the same intent to
 * two branches, and one of them may have edited it since.
 */
export function haveTwoMeanings(one: Intent, other: Intent): boolean {
  if (one.created_at !== null && one.created_at === other.created_at) return false
  return one.name !== other.name || JSON.stringify(one.owned_scope) !== JSON.stringify(other.owned_scope)
}

// Whether an intent is in progress is known from its sessions and commits, not from the registry.
const LIVE_STATUSES: readonly IntentStatus[] = ['PENDING', 'IN_PROGRESS']

/** The intent with an id. The error for an unknown id lists the known ones. */
export function findIntent(intents: readonly Intent[], id: string): Intent {
  const found = intents.find(it => it.id === id)
  if (found) return found
  const alike = intents.find(it => it.id.toLowerCase() === id.toLowerCase() || isAlike(it.id, id))
  const known = intents.map(it => `  ${it.id}  ${LIVE_STATUSES.includes(it.status) ? '' : `${it.status}  `}${it.name}`)
  const message = [
    `There is no intent ${printable(id)}.`,
    ...(known.length > 0 ? ['Known intents:', ...known] : []),
  ].join('\n')
  throw new KotefError('unknown-intent', message, hintFor(alike, known.length))
}

/**
 * The only intent that was made from a ticket, by the key at the end of a specification's address; else null, and for a
 * key that is an intent's id.
 */
export function intentOfTicket(intents: readonly Intent[], key: string): Intent | null {
  if (intents.some(it => it.id === key)) return null
  const bare = key.replace(/^#/, '')
  const found = intents.filter(it => it.related_specs.some(({ url }) => ticketKeys(url).includes(bare)))
  return bare !== '' && found.length === 1 ? (found[0] ?? null) : null
}

/** The type of a related spec that is the id of the intent which goes on with the work of an abandoned one. */
export const SUCCESSOR = 'successor'

/** The intent that goes on with the work of this one; null where none is named. */
export function successorOf({ related_specs }: Pick<Intent, 'related_specs'>): string | null {
  return related_specs.find(it => it.type === SUCCESSOR)?.url ?? null
}

/** The words by which people name a ticket of this address: its last part. */
export function ticketKeys(url: string): string[] {
  return url
    .split(/[/#?=]/)
    .filter(it => it !== '')
    .slice(-1)
}

/**
 * The next free id: INT-003 after INT-002. Without a `prefix` it has that of the last intent for work, or of the last
 * standing one. `taken` are ids that others know.
 */
export function nextIntentId(
  intents: readonly Intent[],
  taken: readonly string[] = [],
  { standing = false, prefix: wanted }: IdWish = {},
): string {
  const last = intents.findLast(it => (it.standing ?? false) === standing)?.id ?? (standing ? 'CHORE-000' : 'INT-000')
  const prefix = (standing ? undefined : wanted) ?? last.slice(0, last.lastIndexOf('-'))
  const ids = [...intents.map(it => it.id), ...taken].filter(it => it.startsWith(`${prefix}-`))
  const numbers = ids.map(it => numberOf(it) ?? 0)
  return `${prefix}-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`
}

type IdWish = { readonly standing?: boolean | undefined; readonly prefix?: string | undefined }

// A number alone may be meant for any prefix, another prefix only for its own intents.
function isAlike(known: string, id: string): boolean {
  const [, prefix = ''] = /^(.*?)-?\d+$/.exec(id) ?? []
  return numberOf(known) === numberOf(id) && known.toLowerCase().startsWith(prefix.toLowerCase())
}

function numberOf(id: string): number | null {
  const digits = /(\d+)$/.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}

function hintFor(alike: Intent | undefined, known: number): { hint?: string } {
  if (alike) return { hint: `Did you mean ${alike.id}?` }
  return known > 0 ? {} : { hint: 'Add the first one with `kotef intent add --name <text> --scope <glob>`.' }
}
