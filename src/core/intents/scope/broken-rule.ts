import { constraintWords } from '../contract/enforced-constraints.ts'
import type { PathVerdict } from './policy.ts'

/** The rule that a write of an agent broke, and what it did to a path, as the end of a sentence about the path. */
export type BrokenRule = { readonly rule: string; readonly why: string }

/**
 * The rule that a write broke by what the policy says of its path for an intent; null for none. Without a session
 * nothing is in scope or out of it. Governance files are judged at the commit, where a person approves them.
 */
export function brokenRule(verdict: PathVerdict, intent: string | null): BrokenRule | null {
  if (verdict.kind === 'forbidden') return { rule: 'path-forbidden', why: `is forbidden by ${verdict.by}` }
  if (verdict.kind === 'ignored') return { rule: 'path-ignored', why: `is in .intentignore (${verdict.by})` }
  if (verdict.kind === 'malformed') return { rule: 'path-malformed', why: verdict.why }
  if (verdict.kind === 'constraint') return { rule: 'constraint-path', why: constraintWords(verdict.constraint) }
  if (intent === null || verdict.kind === 'owned' || verdict.kind === 'governance') return null
  return { rule: 'in-scope', why: `is outside intent ${intent}` }
}
