import type { Finding } from '../findings/finding.ts'

/** A broken rule, and the commit that breaks it; null for what no single commit does. */
export type CommitFinding = Finding & { readonly commit: string | null; readonly subject: string | null }

/** A stretch of history that was judged. */
export type JudgedRange = {
  readonly name: string
  /** Null where it has no one beginning. */
  readonly from: string | null
  /** Null for what is staged. */
  readonly to: string | null
  /** How many commits were judged. */
  readonly commits: number
  /** How many were there besides, from before the adoption. */
  readonly passedOver: number
}

/** What `kotef verify` answers; its JSON is public. */
export type Verification = { readonly ranges: readonly JudgedRange[]; readonly findings: readonly CommitFinding[] }

/** True when something is wrong that nobody may overlook. */
export function isRefused({ findings }: Pick<Verification, 'findings'>): boolean {
  return findings.some(it => it.level === 'block')
}
