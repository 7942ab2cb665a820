import type { Content, WriteFacts } from '../attribution/judge-write.ts'
import type { FileState } from '../io/files/file-state.ts'
import type { GitActivity } from './git-evidence.ts'
import type { Makers } from './reflog-evidence.ts'
import type { WorktreeState } from '../observation/worktree-state.ts'
import type { Workspace } from '../worktree/workspace.ts'

export type Evidence = Pick<WriteFacts, 'bracketed' | 'origin' | 'maker' | 'blobFirst' | 'stashed' | 'conflicted'>

/** Nothing speaks for git. */
export const NO_EVIDENCE: Evidence = {
  bracketed: false,
  origin: 'never',
  maker: null,
  blobFirst: false,
  stashed: false,
  conflicted: false,
}

type Witness = { readonly workspace: Workspace; readonly memory: WorktreeState; readonly activity: GitActivity }
type Found = { readonly path: string; readonly git: WriteFacts['git']; readonly before: Content }

/** What speaks for git having changed a path. Whatever costs a look is asked only where it decides. */
export async function evidenceOf(
  witness: Witness,
  { standing, ...found }: Found & { standing: FileState | null },
): Promise<Evidence> {
  if (standing === null) return evidenceOfLoss(witness, found)
  const { epoch: period } = witness.memory
  // What is older than our last look at the path, where something else stood then, was moved here.
  const isMoved = standing.changedAt + TICK_MS < period.looked(found.path).at
  if (isMoved || (await witness.activity.movedWith(found.path, standing.changedAt))) return NO_EVIDENCE
  if (witness.activity.mayHaveWritten(found.path, standing)) return evidenceOfFile(witness, found, standing)
  // For what is untracked, a stash takes no lock of the index that lasts.
  const isBack = found.git === 'untracked' && period.knows(found.path, standing.oid)
  const isStashed = isBack && (await witness.activity.stashed(found.path, standing.oid))
  return isStashed ? { ...NO_EVIDENCE, bracketed: true, origin: 'told' } : NO_EVIDENCE
}

// The clock of files may be a tick behind.
const TICK_MS = 10

async function evidenceOfFile(witness: Witness, found: Found, standing: FileState): Promise<Evidence> {
  const {
    activity,
    memory: { epoch: period },
  } = witness
  const { path, git, before } = found
  const { oid, origin, madeAt } = await blobOf(witness, found, standing)
  const evidence = { ...NO_EVIDENCE, bracketed: true, origin }
  const isDecided = git !== 'untracked' && before !== null
  if (origin === 'told' || origin === 'never' || (origin === 'old' && isDecided)) return evidence
  const maker = await activity.maker({
    path,
    oid,
    // It went into a stash before anybody looked, whoever made it once more since.
    ...(period.missed(path, oid) ? { thereAt: await activity.stashedSince(path, oid) } : {}),
    ...(origin === 'old' ? { sign: 'last', looked: period.looked(path), modifiedAt: standing.modifiedAt } : {}),
  })
  if (origin === 'old') return { ...evidence, maker, stashed: await activity.stashed(path, oid) }
  const conflicted = before !== null && (await activity.inConflict(before.oid))
  const blobFirst = madeAt <= standing.modifiedAt
  // Git makes the marks of a conflict anew, and leaves nothing else behind.
  if (maker === null && (await activity.inConflict(oid))) return { ...evidence, maker: 'both', blobFirst }
  return { ...evidence, maker, blobFirst, conflicted }
}

/** The blob that stands for a file, and since when git has it: a filter may have made other bytes of it. */
async function blobOf({ memory, activity }: Witness, { path, git }: Found, { oid, bytes }: FileState) {
  const indexed = memory.index.get(path)?.oid
  const inIndex = git === 'clean' || git === 'staged'
  const found = { oid, ...(await activity.origin(path, oid, { exists: inIndex && indexed === oid })) }
  if (found.origin !== 'never') return found
  const blob = inIndex ? indexed : await activity.cleaned(path, bytes)
  if (blob === undefined || blob === null) return found
  return { oid: blob, ...(await activity.origin(path, blob, { exists: inIndex })) }
}

/** Git deletes what it tracked, and what it put into a stash; what it never had was deleted by somebody else. */
async function evidenceOfLoss(witness: Witness, { path, git, before }: Found): Promise<Evidence> {
  const { memory, activity } = witness
  const lost = { ...NO_EVIDENCE, bracketed: true, origin: 'old' } as const
  // The index has it, and the worktree is not to have it: a sparse checkout.
  if (git === 'clean' && memory.index.has(path) && (await activity.isSparse())) return { ...lost, maker: 'git' }
  if (git === 'dirty') return { ...lost, maker: await makerOfDirtyLoss(witness, path) }
  if (git === 'clean' && (await activity.stashedAway(path))) return { ...lost, stashed: true }
  // What was written, committed and taken away again since the last look was never seen in the index.
  if (!(await hadGit(witness, path, before)))
    return (await activity.tookAway(path)) ? { ...lost, maker: 'git' } : NO_EVIDENCE
  const maker = await activity.maker({
    path,
    oid: null,
    sign: git === 'clean' ? 'moves' : 'any',
    looked: memory.epoch.looked(path),
  })
  return { ...lost, maker, bracketed: maker !== null || git === 'staged' }
}

/** The worktree alone has lost it: of all that merges, only a stash does that, in which somebody's loss had gone. */
async function makerOfDirtyLoss({ memory, activity }: Witness, path: string): ReturnType<Makers> {
  const isKnown = memory.epoch.knows(path, null) || (await activity.stashed(path, null, 'old'))
  return activity.maker({ path, oid: null, sign: isKnown ? 'any' : 'switches', looked: memory.epoch.looked(path) })
}

async function hadGit({ memory, activity }: Witness, path: string, before: Content): Promise<boolean> {
  const known = memory.paths.get(path)
  if (memory.index.has(path) || known?.indexed) return true
  if (before === null) return false
  // While nobody watched, the index may have had it for a while.
  if (known?.at === 0) {
    const { origin, madeAt } = await activity.origin(path, before.oid)
    return origin !== 'never' && madeAt < memory.begunAt
  }
  return (await activity.maker({ path, oid: before.oid, looked: memory.epoch.looked(path) })) !== null
}
