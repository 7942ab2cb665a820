import { parseObject } from '../base/payload.ts'
import type { LedgerEvent } from './event.ts'
import type { TraceRecord } from './record.ts'

type Violation = Extract<LedgerEvent, { readonly event: 'violation' }>

/** The violations of a rule by a commit, as it was judged beside a ledger; `text` is the ledger's end. */
export function recordedViolations(text: string, { rule, commit }: { rule: string; commit: string }): Violation[] {
  return text.split('\n').flatMap(line => {
    if (!line.includes(commit) || !line.includes(rule)) return []
    const own = (parseObject(line) as TraceRecord | null)?.metadata?.['dev.kotef']
    return own?.event === 'violation' && own.rule === rule && own.commit === commit ? [own] : []
  })
}
