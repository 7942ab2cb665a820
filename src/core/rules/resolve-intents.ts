import type { Gatherer } from '../git/gatherer.ts'
import { isRegistryPath } from '../base/governance-files.ts'
import type { PolicyIntent } from '../intents/scope/policy.ts'
import { choreFlaw, chorePaths } from './chores.ts'
import {
  inheritedIntents,
  intentsOwning,
  isInherited,
  isReworked,
  openIntents,
  standingIntents,
  workIntents,
  type SortedChanges,
  type StagedFacts,
} from './commit-facts.ts'

/** What showed which intents a commit is for. */
export type ResolutionStep = 'message' | 'source' | 'ledger' | 'session' | 'branch' | 'only-owner' | 'standing'

/** The intents that a commit is for, and what showed it; none where nothing did. */
export type Resolution = { readonly intents: readonly string[]; readonly by: ResolutionStep | null }

/** Where to look for the intents of a commit. Each source is asked only when those before it gave no answer. */
export type IntentSources = {
  /** The intents that the message cites. */
  readonly cited: readonly string[]
  /** The intents of the live sessions of this worktree, or of the one that makes the commit. */
  readonly live: readonly string[]
  /** True when an agent's session makes the commit: it is for that session's intent, or its message cites another. */
  readonly byAgent: boolean
  /** The intents of the commit that this one amends, or is to be squashed into. */
  readonly source: () => Gatherer<readonly string[]>
  /** For each path, the intents that its uncommitted lines were written for, according to the ledger. */
  readonly written: (paths: readonly string[]) => Gatherer<WrittenIntents>
  /**
   * The intents of the branch: the one started on it last, then those that its newest citing commit cites. Commits that
   * cite only standing intents, which are given, are passed over.
   */
  readonly branch: (passedOver: readonly string[]) => Gatherer<readonly string[]>
}

/** The intents that each path was written for; a path without any is not in it. */
export type WrittenIntents = ReadonlyMap<string, readonly string[]>

type StagedWork = { readonly staged: StagedFacts; readonly sorted: SortedChanges }

/**
 * The intents that a commit is for. The steps are in the order of their weight, and the first that answers counts. The
 * intents of an answer together own every staged path and are open, except for those that the message cites, and those
 * of commits that git makes again or takes back.
 */
export function* resolveIntents(work: StagedWork, sources: IntentSources): Gatherer<Resolution> {
  if (sources.cited.length > 0) return { intents: sources.cited, by: 'message' }
  const { work: paths, governanceFiles, judge } = work.sorted
  // Governance files belong to no intent; a commit of them needs a reason in place of one.
  const governs = governanceFiles.length > 0 || work.staged.changes.some(it => isRegistryPath(it.path))
  if (paths.length === 0 && governs) return UNRESOLVED
  const inherited = inheritedIntents(work.staged)
  if (
    inherited.length > 0 &&
    paths.every(path => isInherited(path, work.staged, judge) || isReworked(path, work.staged, judge))
  )
    return { intents: idsOf(inherited), by: 'source' }
  const open = openIntents(work.staged.policy)
  const ownedBy = (it: PolicyIntent) => paths.filter(path => intentsOwning(path, [it], judge).length > 0)
  const fit = open.filter(it => choreFlaw(it, ownedBy(it), work.staged) === null)
  // An agent takes no other intent over from the commit that it adds to.
  const isFree = (id: string) => !sources.byAgent || sources.live.includes(id)
  const source = namedAmong((yield* sources.source()).filter(isFree), fit)
  const rest = paths.filter(path => intentsOwning(path, source, judge).length === 0)
  if (source.length > 0 && rest.length === 0) return { intents: idsOf(source), by: 'source' }
  if (paths.length === 0) return yield* resolveRiding(work, sources)
  const found = yield* resolveWithChores(rest, work, sources)
  return found.by === null ? found : { ...found, intents: [...new Set([...idsOf(source), ...found.intents])] }
}

// What rides with any intent belongs to the work that it came with. Alone, it is a chore, whatever the branch is for.
function* resolveRiding({ staged, sorted }: StagedWork, sources: IntentSources): Gatherer<Resolution> {
  const open = workIntents(staged.policy)
  const [standing, ...others] = standingIntents(staged.policy)
  const left = { open, standing: idsOf(standingIntents(staged.policy)), judge: sorted.judge, paths: [] }
  const isChore = staged.changes.length > 0 && !sources.byAgent && sources.live.length === 0
  if (!isChore || standing === undefined || others.length > 0) return yield* resolveByEvidence(left, sources)
  const written = [...(yield* sources.written(sorted.riding)).values()].flat()
  const writers = namedAmong(written, open)
  return writers.length > 0 ? resolution('ledger', writers) : resolution('standing', [standing])
}

// What no intent for work owns may go with the work for the others, or alone, for a standing intent that serves it.
function* resolveWithChores(paths: readonly string[], work: StagedWork, sources: IntentSources): Gatherer<Resolution> {
  const { staged, sorted } = work
  const open = workIntents(staged.policy)
  const standing = openIntents(staged.policy).flatMap(it => (it.chores ? [it.id] : []))
  const left = { open, standing, judge: sorted.judge }
  const found = yield* resolveByEvidence({ ...left, paths }, sources)
  const chores = [...chorePaths(paths, staged, sorted)]
  if (found.by !== null || chores.length === 0 || sources.byAgent) return found
  if (chores.some(([it, own]) => !staged.chores || choreFlaw(it, own, staged) !== null)) return found
  const served = idsOf(chores.map(([it]) => it))
  const others = paths.filter(path => !chores.some(([, own]) => own.includes(path)))
  if (others.length === 0) return { intents: served, by: 'standing' }
  const rest = yield* resolveByEvidence({ ...left, paths: others }, sources)
  return rest.by === null ? rest : { ...rest, intents: [...rest.intents, ...served] }
}

const UNRESOLVED: Resolution = { intents: [], by: null }

type Unresolved = Pick<SortedChanges, 'judge'> & {
  readonly paths: readonly string[]
  /** The open intents for work. */
  readonly open: readonly PolicyIntent[]
  /** The ids of the standing ones. */
  readonly standing: readonly string[]
}

function* resolveByEvidence(left: Unresolved, sources: IntentSources): Gatherer<Resolution> {
  const { open, standing } = left
  const live = coveringIntents(namedAmong(sources.live, open), left)
  if (sources.byAgent) return resolution('session', live)
  const written = writersOwning(yield* sources.written(left.paths), left)
  if (written.length > 0 && ownTogether(written, left)) return resolution('ledger', written)
  if (live.length > 0) return resolution('session', live)
  for (const id of yield* sources.branch(standing)) {
    const own = coveringIntents(namedAmong([id], open), left)
    if (own.length > 0) return resolution('branch', own)
  }
  return resolution('only-owner', onlyOwner(left))
}

function resolution(by: ResolutionStep, intents: readonly PolicyIntent[]): Resolution {
  return intents.length === 0 ? UNRESOLVED : { intents: idsOf(intents), by }
}

/** For each path, those intents that it was written for and that own it. */
function writersOwning(written: WrittenIntents, { open, judge }: Pick<Unresolved, 'open' | 'judge'>): PolicyIntent[] {
  const owning = [...written].flatMap(([path, ids]) => intentsOwning(path, namedAmong(ids, open), judge))
  return open.filter(it => owning.includes(it))
}

function ownTogether(intents: readonly PolicyIntent[], { paths, judge }: Unresolved): boolean {
  return paths.every(path => intentsOwning(path, intents, judge).length > 0)
}

/**
 * The one among some intents that owns all paths; or, if none does, those that share them out, each path to one owner.
 * None when it is open which of several it is.
 */
function coveringIntents(candidates: readonly PolicyIntent[], { paths, judge }: Unresolved): readonly PolicyIntent[] {
  const all = candidates.filter(it => paths.every(path => judge(it, path).kind === 'owned'))
  if (all.length > 0) return all.length === 1 ? all : []
  const owners = paths.map(path => intentsOwning(path, candidates, judge))
  return owners.every(it => it.length === 1) ? candidates.filter(it => owners.some(([owner]) => owner === it)) : []
}

// Two intents that share the paths out are no guess in a live session, but they are one here.
function onlyOwner(left: Unresolved): readonly PolicyIntent[] {
  const owners = coveringIntents(left.open, left)
  return owners.length === 1 ? owners : []
}

function namedAmong(ids: readonly string[], intents: readonly PolicyIntent[]): PolicyIntent[] {
  return intents.filter(it => ids.includes(it.id))
}

function idsOf(intents: readonly PolicyIntent[]): string[] {
  return intents.map(it => it.id)
}
