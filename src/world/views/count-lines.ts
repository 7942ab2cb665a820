import type { Workspace } from '../io/worktree/workspace.ts'
import type { LineCount } from '../../core/report/review/line-totals.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import { type AddedLine, addedLines } from '../provenance/added-lines.ts'
import { readNoteRecords } from '../ledger/notes.ts'

/** Answers whether an intent owns a path. */
type OwnsPath = (intent: string, path: string) => boolean

/** Commits of a range, and who owns which path at its end. */
export type ReviewedCommits = { readonly commits: readonly Commit[]; readonly owns: OwnsPath }

/** A line that a commit of a range added, as its note has it. */
export type ReviewLine = Omit<LineCount, 'lines'> & Pick<AddedLine, 'commit' | 'path' | 'line' | 'either'>

/**
 * Counts the lines that commits added, by intent and author, as their notes have it. A ledger is not asked, so that
 * every clone with the same notes counts the same.
 */
export async function countReviewLines(workspace: Workspace, reviewed: ReviewedCommits): Promise<LineCount[]> {
  const counts = new Map<string, LineCount>()
  for await (const { intent, contributor, isDoubtful, isNoted, isOwn } of reviewLines(workspace, reviewed))
    addLine(counts, { intent, contributor, isDoubtful, isNoted, isOwn, lines: 1 })
  return [...counts.values()]
}

/** The lines that `countReviewLines` counts, each once. */
export async function* reviewLines(
  workspace: Workspace,
  { commits, owns }: ReviewedCommits,
): AsyncGenerator<ReviewLine, void> {
  // As for `kotef stats`: no intent wants the lines of a governance commit.
  const work = new Map(commits.filter(it => it.governance === null || it.cited.length > 0).map(it => [it.oid, it]))
  const oids = [...work.keys()]
  const noted = await readNoteRecords(workspace, oids)
  // A commit without a note counts as one whose note says nothing; else records would be made for it here.
  const notes = new Map(oids.map(it => [it, noted.get(it) ?? []]))
  for await (const added of addedLines(workspace, oids, notes)) {
    const { commit, path, line, either, isOwn } = added
    const intent = intentOfLine(added, work.get(commit), owns)
    yield {
      commit,
      path,
      line,
      ...kindOf(added),
      intent,
      isNoted: noted.has(commit),
      isOwn,
      ...(intent === null && either && { either }),
    }
  }
}

function kindOf({ author }: AddedLine): Pick<LineCount, 'contributor' | 'isDoubtful'> {
  const { type, model_id } = author.contributor
  const contributor = model_id === undefined ? { type } : { type, model_id }
  return { contributor, isDoubtful: author.doubt !== undefined }
}

// Git finds only the last block of trailers in the message of a forge's squash.
function intentOfLine({ author, path }: AddedLine, commit: Commit | undefined, owns: OwnsPath): string | null {
  const cited = commit?.cited ?? []
  const owners = cited.length === 1 ? cited : cited.filter(it => owns(it, path))
  return author.intent ?? (owners.length === 1 ? (owners[0] ?? null) : null)
}

function addLine(counts: Map<string, LineCount>, line: LineCount): void {
  const { lines, ...kind } = line
  const key = JSON.stringify(kind)
  counts.set(key, { ...kind, lines: (counts.get(key)?.lines ?? 0) + lines })
}
