import { compareEntries, compareTexts, type MapEntry } from './map-entry.ts'

/** A declaration of a file at HEAD, with its own lines and their hash. */
export type HashedDeclaration = {
  readonly name: string
  readonly kind: string
  /** The line of its name, and the first and last line of the whole. */
  readonly line: number
  readonly startLine: number
  readonly endLine: number
  readonly hash: string
  /** Its own lines, as ranges from the first line to the last. */
  readonly own: readonly LineRange[]
}

/** Lines of a file from the first to the last, counted from 1. */
export type LineRange = readonly [first: number, last: number]

/** A file at HEAD: its declarations, and the commit of each run of lines. */
export type FileFacts = {
  readonly path: string
  readonly hash: string
  readonly declarations: readonly HashedDeclaration[]
  readonly runs: readonly LineRun[]
}

/** Consecutive lines of one commit. */
export type LineRun = { readonly at: number; readonly lines: number; readonly commit: string }

/** What the commits of a history say of themselves. */
export type HistoryFacts = {
  /** The intents for which a commit changed a path; none for a commit that cites none. */
  intentsOf(commit: string, path: string): readonly string[]
  /** The committer's time of a commit, in seconds. */
  timeOf(commit: string): number
}

/** The entries of the map: what each intent has of these files, in the canonical order, each once. */
export function makeEntries(files: readonly FileFacts[], history: HistoryFacts): MapEntry[] {
  const entries = files.flatMap(it => entriesOfFile(it, history)).sort(compareEntries)
  return entries.filter((it, n) => n === 0 || compareEntries(entries[n - 1]!, it) !== 0)
}

function entriesOfFile(file: FileFacts, history: HistoryFacts): MapEntry[] {
  const { path, declarations, runs } = file
  const declared = declarations.flatMap(({ kind, name, hash, own }) =>
    entriesOf({ path, kind, name, hash }, runsWithin(runs, own), history),
  )
  const known = new Set(declared.map(it => it.intent))
  const whole = entriesOf({ path, kind: 'file', name: '', hash: file.hash }, runs, history)
  return [...declared, ...whole.filter(it => !known.has(it.intent))]
}

/** The intents that have a declaration, by the commits of its lines. */
export function intentsOfRuns(path: string, runs: readonly LineRun[], history: HistoryFacts): string[] {
  return [...new Set(runs.flatMap(it => history.intentsOf(it.commit, path)))]
}

/** The runs that have lines in these ranges. */
export function runsWithin(runs: readonly LineRun[], ranges: readonly LineRange[]): LineRun[] {
  return runs.filter(run => ranges.some(([first, last]) => run.at <= last && run.at + run.lines > first))
}

type Item = Pick<MapEntry, 'path' | 'kind' | 'name' | 'hash'>

function entriesOf(item: Item, runs: readonly LineRun[], history: HistoryFacts): MapEntry[] {
  const commits = [...new Set(runs.map(it => it.commit))]
  return intentsOfRuns(item.path, runs, history).map(intent => {
    const own = commits.filter(it => history.intentsOf(it, item.path).includes(intent))
    return { intent, ...item, commits: newestFew(own, history) }
  })
}

function newestFew(commits: readonly string[], { timeOf }: HistoryFacts): string[] {
  const ordered = commits.toSorted((a, b) => timeOf(a) - timeOf(b) || compareTexts(a, b))
  return ordered.slice(-COMMITS_SHOWN_MAX).map(it => it.slice(0, ABBREVIATION))
}

// A line stays one that a person reads. `git log -L` has the rest.
const COMMITS_SHOWN_MAX = 5
// Fixed, because git's own abbreviation grows with the clone.
const ABBREVIATION = 12
