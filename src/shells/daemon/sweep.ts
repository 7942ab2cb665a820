import { rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SWEEP_MS_MAX, SWEEP_PATHS_MIN, SWEEP_REST_MS } from '../../core/base/thresholds.ts'
import { locateLedger } from '../../world/ledger/locate-ledger.ts'
import { layoutOf } from '../../world/io/worktree/layout.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/**
 * A change of very many paths at once. It may be the removal of the whole repository, which what a daemon writes into
 * it meanwhile would stop: `rm -rf` removes the files that a folder had when it began with it, and then the folder.
 */
export class Sweep {
  readonly #workspace: Workspace
  #noticedAt = -Infinity
  #since: number | null = null

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** A path may have changed. */
  noticed(): void {
    this.#noticedAt = this.#workspace.clock.ticks()
  }

  /** Waits, if very many paths have changed, until nothing of them and of git's folders changes any more. */
  async whenOver(countPaths: () => number, isInPlace: () => Promise<boolean>): Promise<void> {
    while (await this.isUnderWay(countPaths())) {
      if (!(await isInPlace())) return
      await withdrawLedger(this.#workspace).catch(() => {})
      await delay(SWEEP_REST_MS / 4, undefined, { ref: false })
    }
  }

  /** Whether they still change, when this many wait to be recorded. */
  async isUnderWay(paths: number): Promise<boolean> {
    const now = this.#workspace.clock.ticks()
    if (paths < SWEEP_PATHS_MIN) this.#since = null
    else this.#since ??= now
    // A program that never rests is recorded all the same.
    if (this.#since === null || now - this.#since > SWEEP_MS_MAX) return false
    return now - this.#noticedAt < SWEEP_REST_MS || (await this.#areFoldersChanging())
  }

  async #areFoldersChanging(): Promise<boolean> {
    const { files, root, gitDir, commonDir, clock } = this.#workspace
    const folders = [root, gitDir, commonDir, ...['objects', 'refs', 'logs'].map(it => join(commonDir, it))]
    const times = await Promise.all(folders.map(it => files.modifiedAt(it).catch(() => null)))
    const newest = Math.max(...times.map(it => it ?? -Infinity))
    return clock.now() - newest < SWEEP_REST_MS
  }
}

/**
 * Takes the ledger's name in the worktree away where its folder has nothing else: a record of the first removals may
 * have put it back. The next record does so again.
 */
async function withdrawLedger(workspace: Workspace): Promise<void> {
  const { ledger } = layoutOf(workspace)
  const names = await workspace.files.list(dirname(ledger))
  if (names.join() !== basename(ledger) || (await locateLedger(workspace)).state !== 'linked') return
  await workspace.files.remove(ledger)
  await rmdir(dirname(ledger))
}
