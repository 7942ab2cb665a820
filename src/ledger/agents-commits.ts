import { parseObject } from '../text/payload.ts'
import type { TraceRecord } from './record.ts'

/** A rule that a commit broke, and the path or null for the whole commit. */
type BrokenRule = { readonly rule: string; readonly commit: string; readonly path: string | null }

/** True where the ledger says that a commit broke a rule when it was judged beside it; `text` is its end. */
export function isRecordedViolation(text: string, { rule, commit, path }: BrokenRule): boolean {
  return text.split('\n').some(line => {
    if (!line.includes(commit) || !line.includes(rule)) return false
    const own = (parseObject(line) as TraceRecord | null)?.metadata?.['dev.kotef']
    return own?.event === 'violation' && own.rule === rule && own.commit === commit && own.path === path
  })
}
