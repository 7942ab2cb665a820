import { isDeepStrictEqual } from 'node:util'
import { loadHasher } from '../../../world/io/files/hasher.ts'
import { type AddedLine, addedLines } from '../../../world/provenance/added-lines.ts'
import { buildCommitRecords } from '../../../world/provenance/commit-records.ts'
import type { ChangeClass } from '../../../core/ledger/mutation-class.ts'
import { notedClasses } from '../../../core/ledger/noted-classes.ts'
import { requireCommit } from '../../../world/provenance/commit-queries.ts'
import { readNoteRecords } from '../../../world/ledger/notes.ts'
import { intentName } from '../../../core/authorship/line-intent.ts'
import { certaintyText } from '../../../core/report/certainty.ts'
import { shortOid, shortSession } from '../../../core/report/short-id.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { printable } from '../../../core/base/printable.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { updateNotes } from '../../../world/provenance/annotate-commits.ts'
import type { VerbCall } from '../verb.ts'

/** `kotef trace --commit`: the authors of the lines that a commit added. */
export async function traceCommit(workspace: Workspace, call: VerbCall, revision: string): Promise<VerbOutput> {
  const commit = await requireCommit(workspace.git, revision)
  await updateNotes(workspace, call)
  const notes = await readNoteRecords(workspace, [commit])
  const fromNote = notes.get(commit)
  const computed = fromNote ? [] : [...(await buildCommitRecords(workspace, [commit], await loadHasher())).values()]
  const records = fromNote ?? computed
  const text =
    (await authorshipLines(addedLines(workspace, [commit], notes), notedClasses(fromNote ?? []))).join('\n') ||
    `${shortOid(commit)} changes no line.`
  return { text, json: records, forReading: 'list' }
}

/** The lines that a commit added, each once: successive lines of one author are one range. */
async function authorshipLines(
  all: AsyncIterable<AddedLine>,
  classes: ReadonlyMap<string, ChangeClass>,
): Promise<string[]> {
  const lines: string[] = []
  let last: AddedLine | null = null
  let start = 0
  const end = (): void => void (last && lines.push(rangeLine(start, last)))
  for await (const added of all) {
    if (last === null || !isNextLine(last, added)) {
      end()
      if (last?.path !== added.path) lines.push(pathLine(added.path, classes.get(added.path)))
      start = added.line
    }
    last = added
  }
  end()
  return lines
}

function pathLine(path: string, change: ChangeClass | undefined): string {
  return change ? `${printable(path)}  ${change.mutation_class}: ${printable(change.evidence)}` : printable(path)
}

function isNextLine(one: AddedLine, next: AddedLine): boolean {
  const isNext = one.path === next.path && one.line + 1 === next.line
  return isNext && one.isOwn === next.isOwn && isDeepStrictEqual(one.author, next.author)
}

function rangeLine(start: number, { line, author, either, isOwn }: AddedLine): string {
  const { contributor, intent, session } = author
  const who = [contributor.type, contributor.model_id].filter(it => it !== undefined).join(' ')
  const known = isOwn ? 'kotef itself' : `${printable(who)} ${certaintyText(author)}`
  const where = session === null ? '' : `, session ${printable(shortSession(session))}`
  return `${`${start}-${line}`.padStart(11)}  ${intentName({ intent, either }) ?? 'no intent'}  ${known}${where}`
}
