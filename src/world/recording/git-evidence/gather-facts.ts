import type { AskedFacts, GivenFacts } from '../../../core/authorship/change-origin/facts.ts'
import { windowsAt } from '../../../core/authorship/tool-window.ts'
import { isWrittenUnderLock } from '../../../core/authorship/change-origin/index-lock.ts'
import { FILE_CLOCK_TICK_MS } from '../../../core/base/thresholds.ts'
import { firstSource, lastRemover, lastSource } from '../../../core/authorship/change-origin/timeline.ts'
import type { FileState } from '../../io/files/file-state.ts'
import { isOwnWrite } from '../../io/worktree/own-writes.ts'
import { blobOf, contentAgeOf } from './content-age.ts'
import { folderMovedAt, once } from './git-evidence.ts'
import type { GitEvidence } from './evidence.ts'
import type { Content } from '../observation/worktree-state.ts'

/** How each fact is found out when a row asks for it. */
export type Gatherers = { readonly [F in keyof AskedFacts]?: () => Promise<AskedFacts[F]> | AskedFacts[F] }

/** A path that changed, how git sees it, and the content that kotef knew. */
export type ChangedPath = { readonly path: string; readonly status: GivenFacts['status']; readonly before: Content }

/** The gatherers of what rows ask about a file that exists. */
export function fileGatherers(evidence: GitEvidence, changed: ChangedPath, file: FileState): Gatherers {
  const { path, before } = changed
  const { workspace, blobs, stashes, history, state } = evidence
  const { epoch } = state
  const inspected = epoch.inspectedAt(path)
  const blob = once(() => blobOf(evidence, changed, file))
  let oid = file.oid
  const hasMarks = async (blobOid: string): Promise<boolean> => {
    const bytes = await blobs.read(blobOid)
    return bytes !== null && /^<{7} /m.test(bytes.toString('latin1'))
  }
  return {
    announcedByKotef: () => isOwnWrite(workspace, path, file.oid),
    // What is older than our last inspection, which found something else, was moved here.
    arrivedByMove: async () =>
      file.changedAt + FILE_CLOCK_TICK_MS < inspected.at ||
      (await folderMovedAt(workspace, path, file.changedAt)) !== null,
    writtenUnderIndexLock: () => isWrittenUnderLock({ ...file, eventAt: evidence.eventAt(path) }, evidence.intervals()),
    seenHere: () => epoch.hasSeen(path, file.oid),
    contentAge: async () => {
      oid = (await blob()).oid
      return (await blob()).age
    },
    writtenInCall: async () => windowsAt(await evidence.windows(), { path, at: file.changedAt }).length > 0,
    // While nobody watched, the index may have changed as well.
    indexStood: () => {
      const known = state.paths.get(path)
      const isSame = known !== undefined && known.indexed === undefined && known.at > 0
      return isSame && state.index.get(path)?.oid === oid
    },
    isMidOperation: evidence.isMidOperation,
    lastBroughtBy: async () =>
      lastSource(await (await history()).at(path, { since: inspected, each: true }), oid, file.modifiedAt),
    firstBroughtBy: async () => {
      // It went into a stash before anybody looked, whatever made it once more since.
      const stashedAt = epoch.wasStashedUnseen(path, oid) ? await stashes.heldSince(path, oid) : Infinity
      return firstSource(await (await history()).at(path), oid, { stashedAt, writtenAt: file.changedAt })
    },
    committedElsewhere: async () => ((await evidence.committedElsewhere())(path, oid) ?? Infinity) < file.modifiedAt,
    inStash: () => stashes.holds(path, oid),
    blobNotYounger: async () => (await blob()).madeAt <= file.modifiedAt,
    hadConflictMarks: async () => before !== null && hasMarks(before.oid),
    hasConflictMarks: () => hasMarks(oid),
  }
}

/** The gatherers of what rows ask about a file that is gone. */
export function lossGatherers(evidence: GitEvidence, { path, status, before }: ChangedPath): Gatherers {
  const { state, stashes, history } = evidence
  const inspected = state.epoch.inspectedAt(path)
  const gitHadFile = async (): Promise<boolean> => {
    const known = state.paths.get(path)
    if (state.index.has(path) || known?.indexed) return true
    if (before === null) return false
    // While nobody watched, the index may have had it for a while.
    if (known?.at === 0) {
      const { age, madeAt } = await contentAgeOf(evidence, { path, oid: before.oid })
      return age !== 'not-in-git' && madeAt < state.begunAt
    }
    return firstSource(await (await history()).at(path, { since: inspected }), before.oid) !== 'nothing'
  }
  const removedBy = async () => {
    const happened = await (await history()).at(path, { since: inspected })
    // Of all that merges, only a stash removes a file from the worktree alone, and only one in which it was gone.
    const mayMerge = async () => state.epoch.hasSeen(path, null) || stashes.holds(path, null, 'old')
    const isMerged = status === 'dirty' ? await mayMerge() : status !== 'clean'
    const counted = isMerged ? happened : { ...happened, merges: [] }
    // Where neither index nor HEAD has the file, a reset removed it. Else the reset may have left it in the worktree.
    return lastRemover(counted, { resets: status === 'clean' })
  }
  return {
    leftOutBySparseCheckout: async () => state.index.has(path) && (await evidence.isSparse()),
    takenByStash: () => stashes.took(path),
    gitHadFile,
    removedByLastHeadMove: async () => {
      const { moves } = await (await history()).at(path, { since: inspected, each: true })
      const last = moves.at(-1)
      return last?.by === 'git' && last.to === null
    },
    removedBy,
    headMovedByGit: async () => (await history()).movedByGit(inspected),
  }
}
