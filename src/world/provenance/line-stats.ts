import { intentName } from '../../core/authorship/line-intent.ts'
import type { LogSelection } from '../../core/git/log.ts'
import { renamesIn } from '../../core/git/touched-paths.ts'
import { groupBy } from '../../core/base/grouping.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { addedLines } from './added-lines.ts'
import { countableCommits, isSinceSetUp } from './countable-commits.ts'
import { readNoteRecords } from '../ledger/notes.ts'
import { countClasses } from '../../core/ledger/noted-classes.ts'
import { isPolicyFile } from '../../core/base/governance-files.ts'
import { COMMITS_OF_A_MOMENT } from './annotate-commits.ts'
import { readHead } from '../io/worktree/head.ts'
import { blameFiles } from './blame-files.ts'

/** The number of lines that commits added, by intent, author type, model and person. */
export type LineStats = {
  /** The counted commits: all but the governance commits. */
  readonly commits: number
  /** Commits with a note. */
  readonly noted: number
  /** Commits whose lines are counted: these, and the others that were made since kotef was set up. */
  readonly recorded: number
  /** The other commits, such as the adoption: no intent wants their lines. */
  readonly governance: number
  readonly lines: number
  readonly intents: Readonly<Record<string, number>>
  readonly types: Readonly<Record<string, number>>
  readonly models: Readonly<Record<string, number>>
  /** By the author that git has of the commit; the lines may be an agent's. */
  readonly people: Readonly<Record<string, number>>
  /** How many changed files have each class, where their notes have one. */
  readonly classes: ReturnType<typeof countClasses>
}

/** What a caller learns of counting that takes long: the number of many commits, and the share that was read. */
type StatsProgress = { readonly onMany: (commits: number) => void; readonly progress: (share: number) => void }

/** Counts the lines that the commits of HEAD or of a range added, since a time (milliseconds since 1970) or ever. */
export async function countLineStats(
  workspace: Workspace,
  selection: Pick<LogSelection, 'range' | 'since'>,
  { onMany, progress }: StatsProgress,
): Promise<LineStats> {
  const { work, governance } = await countableCommits(workspace, selection)
  const counted = new Map(work.map(it => [it.commit, it.author]))
  if (counted.size > COMMITS_OF_A_MOMENT) onMany(counted.size)
  const noted = await readNoteRecords(workspace, [...counted.keys()])
  const isNoted = (it: string) => noted.has(it)
  const isRecorded = await isSinceSetUp(workspace, { work, isNoted, range: selection.range ?? 'HEAD' })
  const recorded = [...counted.keys()].filter(isRecorded)
  const intents = createCounter()
  const types = createCounter()
  const models = createCounter()
  const people = createCounter()
  const read = new Set<string>()
  let lines = 0
  for await (const { commit, author, either, isOwn } of addedLines(workspace, recorded, noted)) {
    const { intent, contributor } = author
    lines++
    if (!read.has(commit)) progress(read.add(commit).size / recorded.length)
    intents.count(intentName({ intent, either }) ?? 'none')
    types.count(isOwn ? 'kotef' : contributor.type)
    if (contributor.type === 'ai') models.count(contributor.model_id ?? 'unknown')
    people.count(counted.get(commit) ?? 'unknown')
  }
  const counts = { intents: intents.counts, types: types.counts, models: models.counts, people: people.counts }
  return {
    commits: counted.size,
    noted: noted.size,
    recorded: recorded.length,
    governance: governance.length,
    lines,
    ...counts,
    classes: countClasses(noted.values(), it => !isPolicyFile(it)),
  }
}

function createCounter() {
  const counts: Record<string, number> = Object.create(null) as Record<string, number>
  return { counts, count: (name: string) => void (counts[name] = (counts[name] ?? 0) + 1) }
}

/** A file, the number of lines that an intent added to it, and how many of the intent's lines it has in HEAD. */
type SurvivingLines = { readonly path: string; readonly added: number; readonly alive: number }

/**
 * Counts how many lines of an intent survive: added by the files that its commits added them to, and alive by those
 * that HEAD has. The policy's files are left out: they belong to no intent.
 */
export async function countSurvivingLines(
  workspace: Workspace,
  intent: string,
  { commits, progress }: IntentHistory,
): Promise<SurvivingLines[]> {
  const added = createCounter()
  for await (const { path, author } of addedLines(workspace, commits, await readNoteRecords(workspace, commits)))
    if (author.intent === intent && !isPolicyFile(path)) added.count(path)
  const head = await readHead(workspace)
  const files: SurvivingLines[] = []
  const paths = await withLaterNames(workspace, Object.keys(added.counts), { head, oldest: commits.at(-1) })
  if (head === null) return []
  const asked = { paths: paths.filter(it => !isPolicyFile(it)), revision: head, progress }
  // A deleted file has none. Moved lines count in their new file, if the intent added lines to that file as well.
  for await (const { path, lines } of blameFiles(workspace, asked)) {
    const alive = lines.filter(it => it.author.intent === intent).length
    files.push({ path, added: added.counts[path] ?? 0, alive })
  }
  return files
    .filter(it => it.added + it.alive > 0)
    .sort((one, other) => other.alive - one.alive || other.added - one.added)
}

type IntentHistory = {
  /** The commits that cite it, in git's order, newest first. */
  readonly commits: readonly string[]
  /** Called with the share of its files that git has blamed. */
  readonly progress: (share: number) => void
}

type SinceCommit = { readonly head: string | null; readonly oldest: string | undefined }

/** Some paths, and the names that renames since a commit gave to them. */
async function withLaterNames(
  { git }: Workspace,
  paths: readonly string[],
  { head, oldest }: SinceCommit,
): Promise<string[]> {
  const range = head === null || oldest === undefined ? null : [head, '--not', `${oldest}^@`]
  const renames = (range && (await git.tryAsk(renamesIn(range)))) ?? []
  const later = groupBy(renames, ([from]) => from)
  const found = new Set(paths)
  // What is added to a set while it is walked is walked as well.
  for (const path of found) for (const [, to] of later.get(path) ?? []) found.add(to)
  return [...found]
}
