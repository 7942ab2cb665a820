import { REGISTRY_PATH } from '../intents/paths.ts'
import { gitAside } from '../io/aside.ts'
import { KotefError } from '../report/failure.ts'
import type { Approval } from '../rules/approval.ts'
import type { Found, Verification } from '../report/verification.ts'
import { ciRange } from './ci-range.ts'
import { textAt } from '../workspace/committed.ts'
import { type LedgerReport, ledgerFindings } from './ledger-findings.ts'
import { pushed } from './pushed.ts'
import { type Range, rangeNamed } from './range.ts'
import { type Bench, verifyRanges } from './ranges.ts'
import { verifyStaged } from './staged.ts'
import { verifyChecks } from './checks.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'

/** What somebody wants to be verified. */
export type WayToVerify =
  | { readonly way: 'range'; readonly range: string | null }
  | { readonly way: 'staged' }
  | { readonly way: 'pre-receive'; readonly lines: string }
  | { readonly way: 'ci' }

export type VerifyWish = {
  readonly way: WayToVerify
  readonly env: NodeJS.ProcessEnv
  readonly allowEmpty: boolean
  readonly requireTrace: boolean
  readonly runChecks: boolean
  /** Told before each check runs. */
  readonly running: (command: string) => void
}

/** Verifies what is asked for, with all that this repository knows of it: a worktree has a ledger and files as well. */
export async function verifyHere(workspace: Workspace, wish: VerifyWish): Promise<Verification> {
  const { way, env } = wish
  await using aside = await gitAside(workspace, env)
  const bench = { ...workspace, git: aside.git, blobs: aside.blobs }
  switch (way.way) {
    case 'pre-receive':
      return await verifyPushed(bench, way.lines, wish)
    case 'staged':
      return await verifyStaged(bench, wish)
    case 'ci':
      return await verifyOne(bench, await ciRange(bench, env), { ...wish, approvals: [] })
    case 'range':
      return await verifyLocally(bench, await rangeNamed(bench, way.range), wish)
  }
}

async function verifyPushed(bench: Bench, lines: string, wish: VerifyWish): Promise<Verification> {
  const { ranges, findings } = await pushed(bench, lines)
  // A branch may be made of what others have.
  const verified = await verifyRanges(bench, ranges, { ...wish, allowEmpty: true, approvals: [] })
  return { ranges: verified.ranges, findings: [...findings, ...verified.findings] }
}

async function verifyLocally(bench: Bench, range: Range, wish: VerifyWish): Promise<Verification> {
  const { findings, approvals } = await ledgerOf(bench)
  const { ranges, findings: found } = await verifyOne(bench, range, { ...wish, approvals })
  return { ranges, findings: [...found, ...findings.map(ofNoCommit)] }
}

async function verifyOne(
  bench: Bench,
  range: Range,
  wish: VerifyWish & { readonly approvals: readonly Approval[] },
): Promise<Verification> {
  const { commits, ranges, findings } = await verifyRanges(bench, [range], wish)
  await refuseUngoverned(bench, range, { ranges, findings })
  const checks = wish.runChecks ? await verifyChecks(bench, { range, commits }, wish) : []
  return { ranges, findings: [...findings, ...checks] }
}

// Where nothing was ever governed, "nothing is wrong" would be no answer.
async function refuseUngoverned({ blobs }: Bench, { from, to }: Range, { ranges }: Verification): Promise<void> {
  if (ranges.some(it => it.commits > 0 || it.passedOver === 0)) return
  for (const commit of [to, from]) if (commit && (await textAt(blobs, `${commit}:${REGISTRY_PATH}`)) !== null) return
  throw new KotefError('not-governed', `No commit of this range has a ${REGISTRY_PATH}.`)
}

// A bare repository has none, and nor has a fresh clone.
async function ledgerOf(workspace: Workspace): Promise<Omit<LedgerReport, 'records'>> {
  const isThere = (await workspace.files.modifiedAt(placesOf(workspace).ledger)) !== null
  return isThere ? ledgerFindings(workspace) : { findings: [], approvals: [] }
}

function ofNoCommit(finding: Omit<Found, 'commit' | 'subject'>): Found {
  return { ...finding, commit: null, subject: null }
}
