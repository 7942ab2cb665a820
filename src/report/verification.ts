import type { Finding } from '../findings/finding.ts'

/** A finding, and the commit that it is about; null when it is not about one commit. */
export type CommitFinding = Finding & { readonly commit: string | null; readonly subject: string | null }

/** A range of commits that was judged. */
export type JudgedRange = {
  readonly name: string
  /** Null for a range without a single start. */
  readonly from: string | null
  /** Null for the staged changes. */
  readonly to: string | null
  /** The number of judged commits. */
  readonly commits: number
  /** The number of other commits in it, from before the adoption. */
  readonly passedOver: number
}

/** The answer of `kotef verify`; its JSON is public. */
export type Verification = { readonly ranges: readonly JudgedRange[]; readonly findings: readonly CommitFinding[] }

/** True when a finding blocks. */
export function isRefused({ findings }: Pick<Verification, 'findings'>): boolean {
  return findings.some(it => it.level === 'block')
}
