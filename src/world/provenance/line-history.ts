import type { LineIntent } from '../../core/authorship/line-intent.ts'
import type { LoggedCommit } from '../../core/git/log.ts'
import type { ChangeClass } from '../../core/ledger/mutation-class.ts'
import { notedClasses } from '../../core/ledger/noted-classes.ts'
import { readHead } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { attributedLines } from './added-lines.ts'
import { citedIntents, type CitedIntentLookup } from './cited-intents.ts'
import { type AddedRange, type CommitLines, RangeCollector } from './commit-lines.ts'
import { countableCommits, isSinceSetUp } from './countable-commits.ts'
import { readNoteRecords, readNotesTip } from '../ledger/notes.ts'
import { notesOfTip } from './notes-tree.ts'

/** The lines that the commits of HEAD added, by commit, newest first. */
export type AddedLineHistory = {
  readonly head: string
  readonly commits: readonly CommitLines[]
  /** The commits whose lines are not counted: from before kotef was set up, and governance commits. */
  readonly older: readonly LoggedCommit[]
  readonly governance: readonly LoggedCommit[]
}

/** Reads the history of lines; of commits with the same note, the lines are found once. */
export type LineHistoryReader = {
  /** What the history depends on: HEAD and the notes. Null while HEAD is unborn. */
  stamp(): Promise<string | null>
  /** `progress` is called with the share of the commits that are read. */
  read(progress: (share: number) => void): Promise<AddedLineHistory>
}

/** What was found of a commit, and the blob of its note at that time. */
type KnownCommit = {
  readonly note: string | null
  readonly isNoted: boolean
  readonly ranges: readonly AddedRange[]
  readonly classes: ReadonlyMap<string, ChangeClass>
}

/** Opens the history of lines of a worktree. */
export function openLineHistory(workspace: Workspace): LineHistoryReader {
  let known = new Map<string, KnownCommit>()
  return {
    stamp: () => historyStamp(workspace),
    async read(progress) {
      const { work, governance } = await countableCommits(workspace, {})
      known = await readCommits(workspace, { work, known, progress })
      const isRecorded = await isSinceSetUp(workspace, { work, isNoted: it => known.get(it)?.isNoted === true })
      const recorded = work.filter(it => isRecorded(it.commit))
      const intentOf = await citedIntents(
        workspace,
        recorded.map(it => it.commit),
      )
      return {
        head: (await readHead(workspace)) ?? '',
        commits: recorded.map(it => commitLinesOf(it, known.get(it.commit), intentOf)),
        older: work.filter(it => !isRecorded(it.commit)),
        governance,
      }
    },
  }
}

async function historyStamp(workspace: Workspace): Promise<string | null> {
  const head = await readHead(workspace)
  return head === null ? null : `${head} ${(await readNotesTip(workspace)) ?? ''}`
}

type ReadTerms = {
  readonly work: readonly LoggedCommit[]
  readonly known: ReadonlyMap<string, KnownCommit>
  readonly progress: (share: number) => void
}

async function readCommits(
  workspace: Workspace,
  { work, known, progress }: ReadTerms,
): Promise<Map<string, KnownCommit>> {
  const tip = await readNotesTip(workspace)
  const notes = tip === null ? new Map<string, { blob: string }>() : await workspace.git.ask(notesOfTip(tip))
  const found = new Map<string, KnownCommit>()
  const unread: string[] = []
  for (const { commit } of work) {
    const earlier = known.get(commit)
    // What a ledger says of a commit without a note may have changed.
    if (earlier?.isNoted && earlier.note === notes.get(commit)?.blob) found.set(commit, earlier)
    else unread.push(commit)
  }
  for await (const part of readParts(workspace, { unread, hasNote: it => notes.has(it) })) {
    for (const [commit, it] of part) found.set(commit, { ...it, note: notes.get(commit)?.blob ?? null })
    progress(found.size / work.length)
  }
  return found
}

type UnreadCommits = { readonly unread: readonly string[]; readonly hasNote: (commit: string) => boolean }
type ReadCommit = Omit<KnownCommit, 'note'>

/** Reads commits in parts. Those without a note are one part: the authors of one are a source for the next ones. */
async function* readParts(workspace: Workspace, { unread, hasNote }: UnreadCommits) {
  const noted = unread.filter(hasNote)
  for (let n = 0; n < noted.length; n += PART_COMMITS) yield readPart(workspace, noted.slice(n, n + PART_COMMITS))
  const others = unread.filter(it => !hasNote(it))
  if (others.length > 0) yield readPart(workspace, others)
}

// Bounds the memory for notes that are being read.
const PART_COMMITS = 250

async function readPart(workspace: Workspace, commits: readonly string[]): Promise<Map<string, ReadCommit>> {
  const notes = await readNoteRecords(workspace, commits)
  const collector = new RangeCollector()
  for await (const line of attributedLines(workspace, commits, notes)) collector.add(line)
  return new Map(
    commits.map(it => {
      const records = notes.get(it)
      const classes = notedClasses(records ?? [])
      return [it, { isNoted: records !== undefined, ranges: collector.rangesOf(it), classes }]
    }),
  )
}

function commitLinesOf(
  { commit, subject, author, intents, committed }: LoggedCommit,
  known: ReadCommit | undefined,
  intentOf: CitedIntentLookup,
): CommitLines {
  const { isNoted = false, ranges = [], classes = new Map<string, ChangeClass>() } = known ?? {}
  const wanted = ranges.map(it => withIntent(it, intentOf(commit, it.path, it.owner.intent)))
  return { commit, subject, author, intents, at: Date.parse(committed), isNoted, ranges: wanted, classes }
}

function withIntent(range: AddedRange, { intent, either }: LineIntent): AddedRange {
  if (intent === range.owner.intent && !either) return range
  return { ...range, owner: { ...range.owner, intent, ...(either && { either }) } }
}
