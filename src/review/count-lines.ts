import type { Workspace } from '../worktree/workspace.ts'
import type { LineCount } from '../report/review/line-totals.ts'
import type { Commit } from '../trailers/commits.ts'
import { type AddedLine, addedLines } from '../provenance/added-lines.ts'
import { readNoteRecords } from '../provenance/notes.ts'

/** Answers whether an intent owns a path. */
type OwnsPath = (intent: string, path: string) => boolean

/**
 * Counts the lines that commits added, by intent and author, as their notes have it. A ledger is not asked, so that
 * every clone with the same notes counts the same.
 */
export async function countReviewLines(
  workspace: Workspace,
  commits: readonly Commit[],
  owns: OwnsPath,
): Promise<LineCount[]> {
  // As for `kotef stats`: no intent wants the lines of a governance commit.
  const work = new Map(commits.filter(it => it.governance === null || it.cited.length > 0).map(it => [it.oid, it]))
  const oids = [...work.keys()]
  const noted = await readNoteRecords(workspace, oids)
  // A commit without a note counts as one whose note says nothing; else records would be made for it here.
  const notes = new Map(oids.map(it => [it, noted.get(it) ?? []]))
  const counts = new Map<string, LineCount>()
  for await (const line of addedLines(workspace, oids, notes)) {
    const intent = intentOfLine(line, work.get(line.commit), owns)
    addLine(counts, { ...countOf(line), intent, isNoted: noted.has(line.commit) })
  }
  return [...counts.values()]
}

function countOf({ author }: AddedLine): Pick<LineCount, 'contributor' | 'isDoubtful' | 'lines'> {
  const { type, model_id } = author.contributor
  const contributor = model_id === undefined ? { type } : { type, model_id }
  return { contributor, isDoubtful: author.doubt !== undefined, lines: 1 }
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
