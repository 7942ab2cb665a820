import { differingPaths, type Tree, treeOnDisk } from '../rig/tree.ts'

/** What is known, without kotef, of a worktree and of who made what stands in it. */
export type SoakModel = {
  tree: Tree
  /** What stood there when the round began, with everything recorded. */
  began: Tree
  /** Who changed a path last in this round. */
  readonly changedBy: Map<string, ChangeOrigin>
  /** How often somebody made a path hold a content. */
  readonly made: Map<string, number>
  /** How often git brought a content that may be told once more. */
  readonly again: Map<string, number>
  /** Where each content first stood: what was moved from there goes into a stash, and comes back, as git's. */
  readonly firstAt: Map<string, string>
  /** What git took up before anybody looked: of that, nobody can say that somebody wrote it. */
  readonly unseenByWatcher: Map<string, string | null>
  /** What somebody made, and a commit had in this round. */
  readonly committed: Set<string>
  /** What somebody made and staged in this round. */
  readonly staged: Map<string, string>
  /** What need not be told: committed while nobody watched, or gone at once, or staged on the way to something else. */
  readonly settled: Set<string>
  /** What git let go and brought back in this round: of its loss just then, nobody can say whose it is. */
  readonly reset: Set<string>
  /** What each path came to hold, and by what, since the beginning. */
  readonly history: Map<string, string[]>
  /** No daemon watched for a while in this round. */
  unwatched: boolean
  /** A daemon watches. */
  watched: boolean
}

/** `git again` is git that brings back what may have been somebody's: a stash, a pick without a commit. */
export type ChangeOrigin = 'somebody' | 'git' | 'git again'

/** What a path held for a moment: nothing that a look at the tree shows. */
export type Moment = readonly [path: string, oid: string | null]

/** A model of what stands there now. */
export function modelOf(root: string): SoakModel {
  const tree = treeOnDisk(root)
  const firstAt = new Map([...tree].map(([path, oid]) => [oid, path]))
  const counts = { made: new Map(), again: new Map(), committed: new Set<string>() }
  const sets = { staged: new Map<string, string>(), settled: new Set<string>(), reset: new Set<string>() }
  return {
    tree,
    began: tree,
    changedBy: new Map(),
    ...counts,
    ...sets,
    firstAt,
    unseenByWatcher: new Map(),
    history: new Map(),
    unwatched: false,
    watched: false,
  }
}

type SoakStep = {
  readonly by: ChangeOrigin
  readonly words: string
  readonly moments: readonly Moment[]
  /** What was in no commit, where git does away with that. */
  readonly thrownAway?: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()

/** Takes down what an operation did to the tree. */
export function recordStep(
  model: SoakModel,
  root: string,
  { by, words, moments, thrownAway = NOTHING }: SoakStep,
): void {
  const tree = treeOnDisk(root)
  for (const path of differingPaths(model.tree, tree)) {
    const wasTyped = by !== 'somebody' && model.changedBy.get(path) === 'somebody'
    // What was typed, staged and taken away again while nobody watched: only that something went can be seen.
    if (wasTyped && !model.watched && !tree.has(path)) count(model.again, [path, null])
    const staged = model.staged.get(path)
    // What git throws away may have been taken away by hand just before, or after: its loss may be told.
    if (thrownAway.has(path) && !tree.has(path)) count(model.again, [path, null])
    if (by === 'somebody' && staged !== undefined) model.settled.add(keyOf([path, staged]))
    const isBusy = path.startsWith('busy/')
    model.changedBy.set(path, isBusy ? 'somebody' : by)
    const moment = [path, tree.get(path) ?? null] as const
    model.history.set(path, [...(model.history.get(path) ?? []), `${moment[1] ?? 'nothing'} by: ${words}`])
    if (moment[1] !== null && !model.firstAt.has(moment[1])) model.firstAt.set(moment[1], path)
    if (by === 'somebody') count(model.made, moment)
    if (by === 'git again') count(model.again, moment)
  }
  for (const moment of moments) count(model.made, moment)
  model.tree = tree
}

/** Git takes up what stands at paths before anybody looks: what was typed there just before may be lost. */
function markUnseen(model: SoakModel, paths: Iterable<string>): void {
  for (const path of paths) {
    const oid = model.tree.get(path) ?? null
    model.unseenByWatcher.set(path, oid)
    model.settled.add(keyOf([path, oid]))
  }
}

/** A merge that fails takes away what is in no commit, and puts it back. */
export function markFailedMerge(model: SoakModel): void {
  markUnseen(model, model.changedBy.keys())
}

/** All blobs are packed: of what was staged just before, nobody knows since when git has it. */
export function markPacked(model: SoakModel): void {
  const isStaged = ([path, oid]: readonly [string, string]): boolean => model.tree.get(path) === oid
  markUnseen(
    model,
    [...model.staged].filter(isStaged).map(([path]) => path),
  )
}

/**
 * What git's index has come to have, or has no more, by its own doing: what stands there just so may be git's too. What
 * git brought and lets go may be told as new.
 */
export function markFromGit(model: SoakModel, before: Tree, after: Tree): void {
  for (const path of differingPaths(before, after)) {
    const oid = model.tree.get(path)
    if (oid === after.get(path)) model.changedBy.set(path, 'git')
    else if (oid !== undefined && !after.has(path)) count(model.again, [path, oid])
  }
}

/** Git throws away what no commit has: of what was there and went just before, nobody can say by whom. */
export function markThrownAway(model: SoakModel, head: ReadonlySet<string>): void {
  for (const path of model.changedBy.keys()) if (!model.tree.has(path) && !head.has(path)) model.reset.add(path)
}

/** A reset left the worktree as it was: the commit of what git had removed looks like a person's. */
export function markLeftOut(model: SoakModel, head: ReadonlySet<string>): void {
  for (const [path, by] of model.changedBy)
    if (by === 'git' && head.has(path) && !model.tree.has(path)) count(model.again, [path, null])
}

/** Everything is staged. */
export function markStaged(model: SoakModel): void {
  for (const [path, oid] of model.tree) if (model.made.has(keyOf([path, oid]))) model.staged.set(path, oid)
}

/** A commit has what stands here, as far as it is not dirty. */
export function markCommitted(model: SoakModel, dirty: ReadonlySet<string>): void {
  for (const moment of model.tree)
    if (model.made.has(keyOf(moment)) && !dirty.has(moment[0])) model.committed.add(keyOf(moment))
}

/** A round is over. */
export function endRound(model: SoakModel): void {
  const standing = new Set([...model.tree].map(keyOf))
  // What went again at once, nobody need have seen.
  for (const key of model.committed) if (model.unwatched || !standing.has(key)) model.settled.add(key)
  model.committed.clear()
}

/** A round begins: all that was written so far has been told. */
export function beginRound(model: SoakModel, unwatched: boolean): void {
  model.began = model.tree
  model.changedBy.clear()
  model.unseenByWatcher.clear()
  model.staged.clear()
  model.reset.clear()
  model.unwatched = unwatched
}

/** The name under which it is counted that a path held a content. */
export function keyOf([path, oid]: Moment): string {
  return `${path} ${oid ?? 'nothing'}`
}

function count(counts: Map<string, number>, moment: Moment): void {
  const key = keyOf(moment)
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
