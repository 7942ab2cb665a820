import { byteLines } from '../base/lines.ts'
import { type CommitRecord, isIntactNote } from '../ledger/commit-record.ts'
import { contentHash, type RangeHasher } from '../ledger/content-hash.ts'
import { notedRanges } from '../ledger/note.ts'
import type { Finding } from '../base/finding.ts'

/** A commit's note: its records, the number of its other lines, and the commit's texts at the noted paths. */
export type NoteFacts = {
  readonly commit: string
  readonly records: readonly CommitRecord[]
  readonly bad: number
  readonly texts: ReadonlyMap<string, Uint8Array>
}

/** Checks that kotef wrote a note, for this commit, about its lines, and that nobody edited it. */
export function judgeNote({ commit, records, bad, texts }: NoteFacts, hasher: RangeHasher): Finding[] {
  const findings: Finding[] = []
  if (bad > 0)
    findings.push(editedNote(`its note has ${bad === 1 ? 'a line' : `${bad} lines`} that kotef did not write`))
  for (const record of records) {
    if (record.vcs.revision !== commit) {
      findings.push(editedNote(`its note is of another commit, ${record.vcs.revision.slice(0, 10)}`))
    } else if (!isIntactNote(record)) findings.push(editedNote('its note is not what was written'))
  }
  return [...findings, ...[...texts].flatMap(([path, bytes]) => mismatchedRanges(records, { path, bytes }, hasher))]
}

type CommittedText = { readonly path: string; readonly bytes: Uint8Array }

function mismatchedRanges(
  records: readonly CommitRecord[],
  { path, bytes }: CommittedText,
  hasher: RangeHasher,
): Finding[] {
  const lines = byteLines(bytes)
  const wrong = notedRanges(records, path).find(({ range: { start_line, end_line, content_hash } }) => {
    return end_line > lines.length || contentHash(hasher, lines.slice(start_line - 1, end_line)) !== content_hash
  })
  if (!wrong) return []
  const { start_line, end_line } = wrong.range
  const place = start_line === end_line ? `line ${start_line}` : `lines ${start_line} to ${end_line}`
  return [editedNote(`its note describes another text for ${place} of ${path}`, path)]
}

function editedNote(message: string, path: string | null = null): Finding {
  const hint = 'See who changed it: `git log -p refs/notes/kotef`. Remove it: `git notes --ref=kotef remove <commit>`'
  return { rule: 'note-edited', level: 'block', path, message, hint }
}

/** The finding of added lines of a file that no note attributes; none when all are attributed. */
export function untracedLines(records: readonly CommitRecord[], path: string, added: readonly number[]): Finding[] {
  const attributed = new Set<number>()
  for (const { range, author } of notedRanges(records, path)) {
    if (author.contributor.type === 'unknown') continue
    for (let line = range.start_line; line <= range.end_line; line++) attributed.add(line)
  }
  const unattributed = added.filter(it => !attributed.has(it))
  if (unattributed.length === 0) return []
  const [first] = unattributed
  const more = unattributed.length === 1 ? '' : ` and ${unattributed.length - 1} more`
  const message = `no note names the author of line ${first}${more} of ${path}`
  const hint = 'Run `npx kotef-watch` while you work, and fetch the notes of the author: `kotef sync`'
  return [{ rule: 'untraced-lines', level: 'block', path, message, hint }]
}
