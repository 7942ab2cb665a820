import type { RecordDraft } from '../ledger/record-draft.ts'
import type { TraceRecord } from '../ledger/record.ts'
import type { PathVerdict } from '../scope/policy.ts'
import type { AuthorLookup } from './authors.ts'

/** An event for each rule that a recorded write broke. */
export function scopeViolations(record: TraceRecord, authors: AuthorLookup): RecordDraft[] {
  const paths = record.files.flatMap(({ path, kotef: { from } }) =>
    (from === undefined ? [path] : [from, path]).map(it => ({ path: it, creditedAs: path })),
  )
  return paths.flatMap(({ path, creditedAs }) => {
    const { verdict, intent } = authors.verdict(path, creditedAs)
    const broken = brokenRule(verdict, intent)
    if (!broken) return []
    const message = `${path} ${broken.why}`
    return [{ event: { event: 'violation', rule: broken.rule, path, intent, message, record: record.id } }]
  })
}

// Without a session there is no scope. Governance files are judged at the commit, where a person approves them.
function brokenRule(verdict: PathVerdict, intent: string | null): { rule: string; why: string } | null {
  if (verdict.kind === 'forbidden') return { rule: 'path-forbidden', why: `is forbidden by ${verdict.by}` }
  if (verdict.kind === 'ignored') return { rule: 'path-ignored', why: `is in .intentignore (${verdict.by})` }
  if (verdict.kind === 'malformed') return { rule: 'path-malformed', why: verdict.why }
  if (intent === null || verdict.kind === 'owned' || verdict.kind === 'governance') return null
  return { rule: 'in-scope', why: `is outside intent ${intent}` }
}
