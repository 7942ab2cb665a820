import { isIntactNote } from './commit-record.ts'
import { parseNote } from './note.ts'

/** The text of one note that has the records of two, a line each: nothing that either side has is lost. */
export function mergeNoteTexts(ours: string, theirs: string): string {
  const own = noteLines(ours)
  const added = noteLines(theirs).filter(it => !own.includes(it))
  const merged = withoutEditedCopies([...own, ...added])
  const isSame = merged.length === own.length && merged.every(it => own.includes(it))
  return isSame
    ? ours
    : merged
        .sort()
        .map(it => `${it}\n`)
        .join('')
}

// Somebody who edits a record leaves its id, so the record as it was written replaces what became of it.
function withoutEditedCopies(lines: readonly string[]): string[] {
  const intact = new Set(lines.flatMap(it => intactId(it) ?? []))
  return lines.filter(it => intactId(it) !== null || !intact.has(parseNote(it).records[0]?.id ?? ''))
}

/** What the change of a note breaks: records that it loses, and new lines that are not records of its commit. */
export function noteChangeDamage(commit: string, before: string, after: string): { lost: number; foreign: number } {
  const old = noteLines(before)
  const next = noteLines(after)
  return {
    lost: old.filter(it => isRecordOf(commit, it) && !next.includes(it)).length,
    foreign: next.filter(it => !old.includes(it) && !isRecordOf(commit, it)).length,
  }
}

/** The lines of a note that are intact records of its commit. */
export function ownRecordLines(commit: string, text: string): string[] {
  return noteLines(text).filter(it => isRecordOf(commit, it))
}

function isRecordOf(commit: string, line: string): boolean {
  return intactId(line) !== null && parseNote(line).records[0]?.vcs.revision === commit
}

function intactId(line: string): string | null {
  const [record] = parseNote(line).records
  return record && isIntactNote(record) ? record.id : null
}

function noteLines(text: string): string[] {
  return [...new Set(text.split('\n').filter(it => it.trim() !== ''))]
}
