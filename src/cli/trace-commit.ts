import { loadHasher } from '../io/hash.ts'
import type { CommittedRecord } from '../ledger/committed.ts'
import { rangesOn } from '../ledger/note.ts'
import { recordsOf } from '../provenance/attributed.ts'
import { commitNamed } from '../provenance/commits.ts'
import { notesOn } from '../provenance/notes.ts'
import type { Answer } from '../report/answer.ts'
import { printable } from '../report/printable.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { bringUpToDate } from './blame.ts'
import type { Call } from './verb.ts'

/** `kotef trace --commit`: whom the lines are from that a commit added. */
export async function traceCommit(workspace: Workspace, call: Call, revision: string): Promise<Answer> {
  const commit = await commitNamed(workspace.git, revision)
  await bringUpToDate(workspace, call)
  const noted = (await notesOn(workspace, [commit])).get(commit)
  const made = noted ? [] : [...(await recordsOf(workspace, [commit], await loadHasher())).values()]
  const records = noted ?? made
  return { text: linesOf(records).join('\n') || `${commit} changes no line.`, json: records }
}

function linesOf(records: readonly CommittedRecord[]): string[] {
  return [...new Set(records.flatMap(it => it.files).map(it => it.path))].flatMap(path => [
    printable(path),
    ...rangesOn(records, path).map(({ range, author }) => {
      const { contributor, intent, session, attribution } = author
      const who = [contributor.type, contributor.model_id].filter(it => it !== undefined).join(' ')
      const lines = `${range.start_line}-${range.end_line}`.padStart(11)
      const where = session === null ? '' : `, session ${printable(session)}`
      return `${lines}  ${intent ?? 'no intent'}  ${printable(who)} (${attribution})${where}`
    }),
  ])
}
