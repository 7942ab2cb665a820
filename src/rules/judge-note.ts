import { linesOf } from '../diff/lines.ts'
import { type CommittedRecord, isIntactNote } from '../ledger/committed.ts'
import { contentHash, type RangeHasher } from '../ledger/content-hash.ts'
import { rangesOn } from '../ledger/note.ts'
import type { Finding } from '../report/finding.ts'

/** A commit's note: its records, how many of its lines are none, and the texts that the commit has at their paths. */
export type NoteFacts = {
  readonly commit: string
  readonly records: readonly CommittedRecord[]
  readonly bad: number
  readonly texts: ReadonlyMap<string, Uint8Array>
}

/** What is wrong with a note: it was made by kotef, whole, for this commit, and of its very lines. */
export function judgeNote({ commit, records, bad, texts }: NoteFacts, hasher: RangeHasher): Finding[] {
  const findings: Finding[] = []
  if (bad > 0) findings.push(edited(`its note has ${bad === 1 ? 'a line' : `${bad} lines`} that kotef did not write`))
  for (const record of records) {
    if (record.vcs.revision !== commit) {
      findings.push(edited(`its note is of another commit, ${record.vcs.revision.slice(0, 10)}`))
    } else if (!isIntactNote(record)) findings.push(edited('its note is not what was written'))
  }
  return [...findings, ...[...texts].flatMap(([path, bytes]) => misfits(records, { path, bytes }, hasher))]
}

type Text = { readonly path: string; readonly bytes: Uint8Array }

function misfits(records: readonly CommittedRecord[], { path, bytes }: Text, hasher: RangeHasher): Finding[] {
  const lines = linesOf(bytes)
  const wrong = rangesOn(records, path).find(({ range: { start_line, end_line, content_hash } }) => {
    return end_line > lines.length || contentHash(hasher, lines.slice(start_line - 1, end_line)) !== content_hash
  })
  if (!wrong) return []
  const { start_line, end_line } = wrong.range
  return [edited(`lines ${start_line} to ${end_line} are not those that its note is of`, path)]
}

function edited(message: string, path: string | null = null): Finding {
  const hint =
    'See who changed it: `git log -p refs/notes/kotef`; make it anew: `git notes --ref=kotef remove <commit>`'
  return { rule: 'note-edited', level: 'block', path, message, hint }
}

/** The lines that a commit added and of which no note says whom they are from, file by file. */
export function untracedLines(records: readonly CommittedRecord[], path: string, added: readonly number[]): Finding[] {
  const told = new Set<number>()
  for (const { range, author } of rangesOn(records, path)) {
    if (author.contributor.type === 'unknown') continue
    for (let line = range.start_line; line <= range.end_line; line++) told.add(line)
  }
  const unknown = added.filter(it => !told.has(it))
  if (unknown.length === 0) return []
  const [first] = unknown
  const more = unknown.length === 1 ? '' : ` and ${unknown.length - 1} more`
  const message = `nobody knows who wrote line ${first}${more}`
  const hint = 'Get the notes of whoever wrote it: `kotef sync`; let kotef watch: `npx kotef-watch`'
  return [{ rule: 'untraced-lines', level: 'block', path, message, hint }]
}
