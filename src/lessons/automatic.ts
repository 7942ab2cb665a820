import type { LessonDraft } from './lesson.ts'

/** A check that failed, and passed after some files had changed. */
export type FixedCheck = {
  readonly command: string
  /** The signature of its error. */
  readonly failure: string
  /** A line of its output that names the error; empty where there is none. */
  readonly error: string
  readonly changed: readonly string[]
  readonly intent: string | null
}

/** The lesson of a check that was repaired; null when no file had changed: it may fail at random. */
export function fixedCheckLesson({ command, failure, error, changed, intent }: FixedCheck): LessonDraft | null {
  if (changed.length === 0) return null
  const why = error === '' ? '' : ` with "${clipped(error, ERROR_CHARS_MAX)}"`
  const what = code(clipped(command, COMMAND_CHARS_MAX))
  const text = `${what} failed${why} (${failure}) until ${listed(changed)} changed.`
  return { signature: `check ${command} ${failure}`, text, paths: changed, intent, by: 'check' }
}

/** Writes of a session that one rule refused for one intent, and the files of the work that succeeded without them. */
export type RefusedWrites = {
  /** The code of the refusal. */
  readonly code: string
  readonly intent: string
  /** In the order in which they were refused, without those that the work changed all the same. */
  readonly paths: readonly string[]
  readonly changed: readonly string[]
}

/** The lesson of refused writes; null when none is left, or the work changed nothing. */
export function refusedWritesLesson(
  { code: why, intent, paths, changed }: RefusedWrites,
  by: string,
): LessonDraft | null {
  if (changed.length === 0 || paths.length === 0) return null
  const what = paths.length === 1 ? `A write to ${listed(paths)} was` : `Writes to ${listed(paths)} were`
  const text = `${what} refused for ${intent} (${why}); the work was done in ${listed(changed)}.`
  // It stays the same lesson when the session has more writes refused by this rule.
  return { signature: `refused ${why} ${paths[0]}`, text, paths: changed, intent, by }
}

/** Adds refused writes to those that the same rule refused for the same intent: they are one lesson. */
export function joinedWrites(known: readonly RefusedWrites[], more: RefusedWrites): RefusedWrites {
  const earlier = known.find(it => it.code === more.code && it.intent === more.intent)
  const changed = [...new Set([...(earlier?.changed ?? []), ...more.changed])]
  const paths = [...new Set([...(earlier?.paths ?? []), ...more.paths])].filter(it => !changed.includes(it))
  return { ...more, paths: paths.slice(0, WRITES_MAX), changed: changed.slice(0, WRITES_MAX) }
}

/** A scope that a person has widened. */
export type WidenedScope = {
  readonly intent: string
  /** The scope before. */
  readonly scope: readonly string[]
  readonly wants: readonly string[]
}

/** The lesson of a widened scope; null when it was not widened. */
export function widenedScopeLesson({ intent, scope, wants }: WidenedScope): LessonDraft | null {
  const more = wants.filter(it => !scope.includes(it))
  if (more.length === 0) return null
  const owned = scope.filter(it => !it.startsWith('!'))
  const text = `Work on ${listed(owned)} (${intent}) needed ${listed(more)} as well.`
  // Another intent with these files may need them too.
  const paths = [...owned.slice(0, OWNED_MAX), ...more]
  return { signature: `scope ${owned.join(' ')} ${more.join(' ')}`, text, paths, intent, by: 'approval' }
}

/** The line of an output that says the most about a failure; empty where no line does. */
export function errorLine(output: string): string {
  const lines = output.split('\n').map(it => it.trim())
  const named = ERROR_LINES.map(pattern => lines.find(it => it.length <= LINE_CHARS_MAX && pattern.test(it)))
  return named.find(it => it !== undefined) ?? ''
}

// The words of most test runners and compilers, the most precise first.
const ERROR_LINES = [
  /^\W*(?:\w*Error|E\s+\w+Error|AssertionError)\b.*:/,
  /\berror\b.*[:\d]/i,
  /\b(?:expected|assert\w*|FAIL\w*|panicked)\b/i,
]

const LINE_CHARS_MAX = 300
const ERROR_CHARS_MAX = 120
const COMMAND_CHARS_MAX = 80
const LISTED_MAX = 3
const OWNED_MAX = 3
const WRITES_MAX = 20

function listed(paths: readonly string[]): string {
  const more = paths.length - LISTED_MAX
  const named = paths.slice(0, LISTED_MAX).map(it => code(it))
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

function code(text: string): string {
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``
}

function clipped(text: string, charactersMax: number): string {
  const all = Array.from(text)
  return all.length > charactersMax ? `${all.slice(0, charactersMax - 1).join('')}…` : text
}
