import { type Commit, commitsIn } from '../diff/commits.ts'
import type { Blobs } from '../io/blobs.ts'
import { KotefError } from '../report/failure.ts'
import type { Finding } from '../report/finding.ts'
import type { Found, Stretch, Verification } from '../report/verification.ts'
import { type Approval, isApproved, planeOf } from '../rules/approval.ts'
import { noteFindings } from '../provenance/note-findings.ts'
import { governanceChanges } from '../rules/governance-changes.ts'
import { mended } from '../rules/mend.ts'
import { autosquash, forBots, governanceFinding } from '../rules/of-range.ts'
import { type Bound, type Bounds, boundsOf } from '../workspace/bounds.ts'
import { type Judged, judgeCommits } from '../workspace/judge-commits.ts'
import { cutOff, type Range, shallowEnds } from './range.ts'
import { isMove } from '../workspace/registry-moves.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** How ranges are to be verified. */
export type Wish = {
  /** A range without a commit is fine. */
  readonly allowEmpty: boolean
  /** A line whose author no record knows is a finding. */
  readonly requireTrace: boolean
  /** What people approved, as the ledger tells. */
  readonly approvals: readonly Approval[]
}

/** The last word on some ranges: each commit by the policy from before it, and nothing is written meanwhile. */
export async function verifyRanges(
  bench: Bench,
  ranges: readonly Range[],
  wish: Wish,
): Promise<Verification & { readonly commits: readonly Commit[] }> {
  const verified: VerifiedRange[] = []
  for (const range of ranges) verified.push(await verifyRange(bench, range, wish))
  return {
    ranges: verified.map(it => it.stretch),
    findings: distinct(verified.flatMap(it => it.findings)),
    commits: verified.flatMap(it => it.commits),
  }
}

/** A workspace whose git leaves nothing behind. */
export type Bench = Workspace & { readonly blobs: Blobs }

type VerifiedRange = { readonly stretch: Stretch; readonly findings: Found[]; readonly commits: readonly Commit[] }

async function verifyRange(bench: Bench, range: Range, wish: Wish): Promise<VerifiedRange> {
  const commits = await commitsOf(bench, range, wish)
  const bounds = await boundsOf(bench, commits, range)
  const untold = await untoldSources(bench, commits, range)
  const judged = await judgeCommits(bench, commits, { tips: [], rewrites: new Map(), bounds, untold })
  const governed = judged.filter(it => !it.isFree)
  const findings: Found[] = []
  for (const it of governed)
    for (const each of await foundIn(it, { bounds, approvals: wish.approvals })) findings.push(each)
  const kept = governed.map(it => it.commit)
  const noted = await noteFindings(bench, kept, wish)
  const { name, from, to } = range
  return {
    stretch: { name, from, to, commits: kept.length, passedOver: judged.length - kept.length },
    findings: [
      ...findings,
      ...noted.map(it =>
        named(
          it,
          kept.find(({ oid }) => oid === it.commit),
        ),
      ),
    ],
    commits: kept,
  }
}

async function commitsOf(bench: Bench, { name, to, without }: Range, { allowEmpty }: Wish): Promise<readonly Commit[]> {
  const commits = await bench.git.ask(commitsIn([to, '--not', ...without], { countMax: null }))
  if (commits.length === 0 && !allowEmpty) throw new KotefError('range-empty', `${name} has no commit to judge.`)
  const ends = await shallowEnds(bench)
  const cut = commits.find(it => ends.has(it.oid))
  if (cut) throw cutOff(`${name}: this clone is shallow, and knows nothing before ${cut.oid}.`)
  return commits
}

/** What commits say that they were made from, and neither they nor the history before them have: nobody judged it. */
async function untoldSources({ git }: Bench, commits: readonly Commit[], { without }: Range): Promise<Set<string>> {
  const names = [...new Set(commits.flatMap(it => it.madeFrom))]
  if (names.length === 0) return new Set()
  const args = ['rev-list', '--ignore-missing', ...names, '--not', ...without, '--']
  const reached = (await git.tryAsk({ args, parse: out => out.split('\n').slice(0, -1) })) ?? []
  const own = new Set(commits.map(it => it.oid))
  return new Set(reached.filter(it => !own.has(it)))
}

type Ground = { readonly bounds: Bounds; readonly approvals: readonly Approval[] }

async function foundIn({ commit, findings }: Judged, { bounds, approvals }: Ground): Promise<Found[]> {
  const bound = bounds.boundOf(commit)
  const held = bound ? forBots(findings, commit, bound.config.bots) : findings
  const governance = bound ? await governanceIn(commit, bound, { bounds, approvals }) : []
  return [...held, ...governance, ...autosquash(commit)].map(it => named(mended(it, commit), commit))
}

// What a merge brings was brought by its commits. Without the trailer it is no change that anybody could approve.
async function governanceIn(commit: Commit, bound: Bound, { bounds, approvals }: Ground): Promise<Finding[]> {
  const { changes, parents, governance } = commit
  if (parents.length > 1 || governance === null) return []
  const plane = planeOf({ changes, policy: bound.policy, registryMoves: false })
  const findings: Finding[] = []
  for (const change of plane) {
    const { path, before, after } = change
    if (await isMove(bounds.blobs, change)) continue
    const [old, anew] = [await textOf(bounds.blobs, before), await textOf(bounds.blobs, after)]
    const isStrict = bound.config.verify.governance === 'strict'
    const known = { isStrict, isApproved: isApproved(change, parents[0] ?? null, approvals) }
    const found = governanceChanges({ path, before: old, after: anew })
    for (const each of found.map(it => governanceFinding(path, it, known))) findings.push(each)
  }
  return findings
}

async function textOf(blobs: Blobs, end: { readonly oid: string } | null): Promise<string | null> {
  return end && ((await blobs.read(end.oid))?.toString('utf8') ?? null)
}

function named(finding: Finding, commit: Pick<Commit, 'oid' | 'subject'> | undefined): Found {
  return { ...finding, commit: commit?.oid ?? null, subject: commit?.subject ?? null }
}

// A commit may be in several ranges, which may differ in where they begin.
function distinct(findings: readonly Found[]): Found[] {
  const known = new Map(findings.map(it => [JSON.stringify([it.commit, it.rule, it.path, it.message]), it]))
  return [...known.values()]
}
