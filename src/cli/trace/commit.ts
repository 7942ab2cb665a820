import { loadHasher } from '../../io/files/hasher.ts'
import type { CommitRecord } from '../../ledger/commit-record.ts'
import { notedRanges } from '../../ledger/note.ts'
import { buildCommitRecords } from '../../provenance/commit-records.ts'
import { requireCommit } from '../../provenance/commit-queries.ts'
import { readNoteRecords } from '../../provenance/notes.ts'
import type { VerbOutput } from '../../report/verb-output.ts'
import { printable } from '../../text/printable.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { updateNotes } from '../../provenance/annotate-commits.ts'
import type { VerbCall } from '../verb.ts'

/** `kotef trace --commit`: the authors of the lines that a commit added. */
export async function traceCommit(workspace: Workspace, call: VerbCall, revision: string): Promise<VerbOutput> {
  const commit = await requireCommit(workspace.git, revision)
  await updateNotes(workspace, call)
  const fromNote = (await readNoteRecords(workspace, [commit])).get(commit)
  const computed = fromNote ? [] : [...(await buildCommitRecords(workspace, [commit], await loadHasher())).values()]
  const records = fromNote ?? computed
  const text = authorshipLines(records).join('\n') || `${commit} changes no line.`
  return { text, json: records, forReading: 'list' }
}

function authorshipLines(records: readonly CommitRecord[]): string[] {
  return [...new Set(records.flatMap(it => it.files).map(it => it.path))].flatMap(path => [
    printable(path),
    ...notedRanges(records, path).map(({ range, author }) => {
      const { contributor, intent, session, attribution } = author
      const who = [contributor.type, contributor.model_id].filter(it => it !== undefined).join(' ')
      const lines = `${range.start_line}-${range.end_line}`.padStart(11)
      const where = session === null ? '' : `, session ${printable(session)}`
      return `${lines}  ${intent ?? 'no intent'}  ${printable(who)} (${attribution})${where}`
    }),
  ])
}
