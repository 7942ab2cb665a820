import { join } from 'node:path'
import type { Content, WriteFacts } from '../attribution/judge-write.ts'
import { emptiedAt, type Standing } from '../io/worktree.ts'
import type { GitActivity } from './git-activity.ts'
import type { Memory } from './memory.ts'
import type { Workspace } from '../workspace/workspace.ts'

export type Evidence = Pick<WriteFacts, 'bracketed' | 'learnt' | 'maker' | 'stepped' | 'stashed' | 'conflicted'>

/** Nothing speaks for git. */
export const NO_EVIDENCE: Evidence = {
  bracketed: false,
  learnt: 'never',
  maker: null,
  stepped: false,
  stashed: false,
  conflicted: false,
}

type Witness = { readonly workspace: Workspace; readonly memory: Memory; readonly activity: GitActivity }
type Found = { readonly path: string; readonly git: WriteFacts['git']; readonly before: Content }

/** What speaks for git having changed a path. Whatever costs a look is asked only where it decides. */
export async function evidenceOf(
  witness: Witness,
  { standing, ...found }: Found & { standing: Standing | null },
): Promise<Evidence> {
  if (standing === null) return evidenceOfLoss(witness, found)
  return witness.activity.mayHaveWritten(standing) ? evidenceOfFile(witness, found, standing) : NO_EVIDENCE
}

async function evidenceOfFile(witness: Witness, found: Found, standing: Standing): Promise<Evidence> {
  const { activity } = witness
  const { path, git, before } = found
  const { oid, learnt } = await blobOf(witness, found, standing)
  const evidence = { ...NO_EVIDENCE, bracketed: true, learnt }
  if (git === 'untracked') return { ...evidence, stashed: await activity.stashed(path, oid) }
  if (learnt === 'before' || learnt === 'never') return evidence
  const maker = await activity.maker(path, oid)
  if (git === 'dirty') return { ...evidence, maker }
  const stepped = await activity.stepped(standing.modifiedAt)
  return { ...evidence, maker, stepped, conflicted: before !== null && (await activity.inConflict(before.oid)) }
}

/** The blob that stands for a file, and whether git knew it: a filter may have made other bytes of it. */
async function blobOf({ memory, activity }: Witness, { path, git }: Found, { oid, bytes, modifiedAt }: Standing) {
  const indexed = memory.index.get(path)?.oid
  const inIndex = git === 'clean' || git === 'staged'
  const learnt = await activity.learnt({ oid, modifiedAt, exists: inIndex && indexed === oid })
  if (learnt !== 'never') return { oid, learnt }
  const blob = inIndex ? indexed : await activity.cleaned(path, bytes)
  if (blob === undefined || blob === null) return { oid, learnt }
  return { oid: blob, learnt: await activity.learnt({ oid: blob, modifiedAt, exists: inIndex }) }
}

/** Git deletes what it tracked, and what it put into a stash; what it never knew was deleted by somebody else. */
async function evidenceOfLoss(witness: Witness, { path, git, before }: Found): Promise<Evidence> {
  const { memory, activity } = witness
  // The index has it, and the worktree is not to have it: a sparse checkout.
  if (git === 'clean' && memory.index.has(path)) return { ...NO_EVIDENCE, bracketed: true, learnt: 'before' }
  const gone = { ...NO_EVIDENCE, learnt: 'at-once' } as const
  if (git !== 'dirty' && memory.known.get(path)?.indexed) {
    const maker = await activity.maker(path, null)
    // Nothing but the folder tells when a file went that no commit ever had.
    return { ...gone, bracketed: git !== 'clean' || maker !== null || (await emptiedByGit(witness, path)), maker }
  }
  const stashed = git === 'dirty' ? await poppedAway(witness, path) : await stashedAway(activity, path, before)
  return { ...gone, bracketed: stashed, stashed }
}

async function poppedAway({ workspace, activity }: Witness, path: string): Promise<boolean> {
  const folder = await emptiedAt(join(workspace.root, path))
  return folder !== null && activity.mayHaveWritten(folder) && activity.stashed(path, null)
}

async function emptiedByGit({ workspace, activity }: Witness, path: string): Promise<boolean> {
  const folder = await emptiedAt(join(workspace.root, path))
  return folder !== null && activity.mayHaveEmptied(folder)
}

async function stashedAway(activity: GitActivity, path: string, before: Content): Promise<boolean> {
  return before !== null && activity.stashedAway(path, before.oid)
}
