import { join } from 'node:path'
import type { PathEvent, OriginTimeline, PathMerge } from '../../../core/authorship/change-origin/timeline.ts'
import { changesBetweenTrees, emptyTree, type PathChange } from '../../../core/git/changes.ts'
import { type HeadMove, headMoves, joinGitMoves } from '../../../core/git/reflog.ts'
import type { WorktreeState } from '../observation/worktree-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { type AutoMerge, readAutoMerge } from './auto-merge.ts'
import type { ObservedAt } from './epoch.ts'
import { looseCreatedAt, looseTouchedAt } from './object-age.ts'
import { isRemovedBySquash, messageOf, readSquash, type Squash, squashedTip } from './squashes.ts'

type TreeChanges = ReadonlyMap<string, PathChange>

/** HEAD's log and the merges of this epoch, as far as this process has followed them. */
export class Reflog {
  readonly #workspace: Workspace
  readonly #state: WorktreeState
  readonly #lockedAt: (time: number) => number | null
  readonly #changes = new Map<string, Promise<TreeChanges>>()
  readonly #merges = new Map<number, AutoMerge>()
  readonly #squashes = new Map<number, Squash>()

  /** `lockedAt` answers when git took the lock that it held at a time. */
  constructor(workspace: Workspace, state: WorktreeState, lockedAt: (time: number) => number | null = () => null) {
    this.#workspace = workspace
    this.#state = state
    this.#lockedAt = lockedAt
  }

  /** A file of this name in the git directory changed: the next commit removes what a merge left. */
  saw(name: string): void {
    const merge = name === 'AUTO_MERGE' ? readAutoMerge(this.#workspace) : null
    const isNew = merge !== null && merge.at > this.#state.epoch.began.at && !this.#merges.has(merge.at)
    if (isNew) this.#merges.set(merge.at, merge)
    const squash = name === 'SQUASH_MSG' ? readSquash(this.#workspace) : null
    if (squash && squash.at > this.#state.epoch.began.at) this.#squashes.set(squash.at, squash)
  }

  async read(): Promise<HeadHistory> {
    const log = await readLog(this.#workspace, this.#state.epoch.began.log)
    this.saw('AUTO_MERGE')
    this.saw('SQUASH_MSG')
    const changes = (from: string, to: string): Promise<TreeChanges> => this.#changesBetween(from, to)
    return new HeadHistory(this.#workspace, log, {
      merges: [...this.#merges.values()],
      squashes: [...this.#squashes.values()],
      changes,
      lockedAt: this.#lockedAt,
    })
  }

  /** A new epoch began. */
  epochClosed(): void {
    this.#changes.clear()
    for (const all of [this.#merges, this.#squashes])
      for (const at of all.keys()) if (at <= this.#state.epoch.began.at) all.delete(at)
  }

  #changesBetween(from: string, to: string): Promise<TreeChanges> {
    const known = this.#changes.get(`${from} ${to}`) ?? changesBetween(this.#workspace, from, to)
    this.#changes.set(`${from} ${to}`, known)
    return known
  }
}

type Merged = {
  readonly merges: readonly AutoMerge[]
  readonly squashes: readonly Squash[]
  readonly changes: (from: string, to: string) => Promise<TreeChanges>
  readonly lockedAt: (time: number) => number | null
}

/** What moves of HEAD and merges did to paths, up to the moment in which it was read. */
export class HeadHistory {
  readonly #workspace: Workspace
  readonly #log: Log
  readonly #merged: Merged

  constructor(workspace: Workspace, log: Log, merged: Merged) {
    this.#workspace = workspace
    this.#log = log
    this.#merged = merged
  }

  /**
   * What happened at a path since it was inspected, or else in this epoch. What git did in one go is one move, and
   * what it only passed through does not count, unless `each` move is asked for.
   */
  async at(path: string, { since = EVER, each = false } = {}): Promise<OriginTimeline> {
    const moves = movesSince(this.#log, since)
    const latest = (each ? moves : joinGitMoves(moves)).slice(0, MOVES_MAX).toReversed()
    return {
      isLogged: this.#log.isLogged,
      moves: await this.#movesAt(path, latest, since.at),
      merges: [...(await this.#mergesAt(path, since.at)), ...(await this.#squashesAt(path, since.at))],
    }
  }

  /** The commits that were made in this worktree of what a person staged, as far as HEAD's log goes back. */
  committedHere(): Set<string> {
    return new Set(this.#log.latest.filter(it => it.by !== 'git').map(it => it.to))
  }

  /** Whether HEAD moved since an inspection, and not only by plain commits. */
  movedByGit(since: ObservedAt): boolean {
    return movesSince(this.#log, since).some(it => it.by === 'git' || it.by === 'reset')
  }

  async #movesAt(path: string, moves: readonly HeadMove[], since: number): Promise<PathEvent[]> {
    const found: PathEvent[] = []
    for (const { by, from, to } of moves) {
      const change = (await this.#merged.changes(from, to)).get(path)
      const committedAt = change && by === 'commit' ? await looseTouchedAt(this.#workspace, to) : null
      const isSquashed =
        change?.after === null && by === 'commit' && (await this.#isSquashed(path, { from, to, since }))
      if (change) found.push({ by: isSquashed ? 'git' : by, ...oidsOf(change), committedAt })
    }
    return found
  }

  /** Whether a commit removes a file because a squash did, as far as that was seen, or the message says so. */
  async #isSquashed(
    path: string,
    { from, to, since }: Pick<HeadMove, 'from' | 'to'> & { readonly since: number },
  ): Promise<boolean> {
    const { git } = this.#workspace
    const seen = this.#merged.squashes.filter(it => it.onto === from && it.at >= since).map(it => it.tip)
    const named = squashedTip((await git.tryAsk(messageOf(to))) ?? '')
    for (const tip of new Set([...seen, ...(named === null ? [] : [named])]))
      if (await isRemovedBySquash(this.#workspace, { tip, onto: from, path }, this.#merged.changes)) return true
    return false
  }

  async #squashesAt(path: string, since: number): Promise<PathMerge[]> {
    const { squashes, changes, lockedAt } = this.#merged
    const found: PathMerge[] = []
    for (const { tip, onto, at } of squashes.filter(it => it.at >= since))
      if (onto !== null && (await isRemovedBySquash(this.#workspace, { tip, onto, path }, changes)))
        found.push({ to: null, at, lockedAt: lockedAt(at), treeMadeAt: at, ...NO_BLOB })
    return found
  }

  async #mergesAt(path: string, since: number): Promise<PathMerge[]> {
    const { merges, changes, lockedAt } = this.#merged
    const found: PathMerge[] = []
    for (const { at, onto, tree, treeMadeAt, headStayedAt } of merges.filter(it => it.at >= since)) {
      const change = (await changes(onto ?? 'HEAD', tree)).get(path)
      const to = change?.after?.oid ?? null
      const blobMadeAt = (to === null ? null : await looseTouchedAt(this.#workspace, to)) ?? -Infinity
      const bornAt = to === null ? null : await looseCreatedAt(this.#workspace, to)
      const blob = {
        blobMadeAt,
        blobBornAt: bornAt ?? -Infinity,
        blobIsOlder: bornAt !== null && bornAt < headStayedAt,
      }
      if (change) found.push({ to, at, lockedAt: lockedAt(at), treeMadeAt, ...blob })
    }
    return found
  }
}

/** Answers how long HEAD's log was at the earliest when HEAD named a commit, at an inspection or after it. */
export async function logSizeReader(workspace: Workspace): Promise<(commit: string, since: ObservedAt) => number> {
  const log = await readLog(workspace, 0)
  return (commit, since) => {
    const moves = movesSince(log, since)
    const move = moves.at(-1)?.from === commit ? null : moves.findLast(it => it.to === commit)
    return move ? log.size - move.bytesAfter : since.log
  }
}

type Log = { readonly isLogged: boolean; readonly size: number; readonly latest: readonly HeadMove[] }

async function readLog({ files, gitDir }: Workspace, from: number): Promise<Log> {
  const path = join(gitDir, 'logs/HEAD')
  const size = (await files.readEnd(path, 0))?.size ?? null
  if (size === null) return { isLogged: false, size: 0, latest: [] }
  const end = await files.readEnd(path, Math.min(size - placeIn(size, from), BYTES_MAX))
  return { isLogged: true, size: end?.size ?? size, latest: headMoves(end?.bytes.toString('latin1') ?? '') }
}

const NO_BLOB = { blobMadeAt: -Infinity, blobBornAt: -Infinity, blobIsOlder: false }
const EVER: ObservedAt = { at: -Infinity, log: 0 }
const BYTES_MAX = 65_536
const MOVES_MAX = 50

function movesSince({ latest, size }: Log, { log }: ObservedAt): readonly HeadMove[] {
  return latest.filter(it => size - it.bytesAfter > placeIn(size, log))
}

// A `gc` drops old lines: then nobody knows where a place in the log is now.
function placeIn(size: number, place: number): number {
  return place > size ? 0 : place
}

function oidsOf({ before, after }: PathChange): { from: string | null; to: string | null } {
  return { from: before?.oid ?? null, to: after?.oid ?? null }
}

async function changesBetween({ git }: Workspace, from: string, to: string): Promise<TreeChanges> {
  const before = /^0+$/.test(from) ? await git.ask(emptyTree) : from
  return new Map((await git.tryAsk(changesBetweenTrees(before, to)))?.map(it => [it.path, it]))
}
