import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { whereAmI } from '../diff/where-am-i.ts'
import { systemClock } from '../io/clock.ts'
import { disk } from '../io/files.ts'
import { gitByHand } from '../io/git-by-hand.ts'
import { askLightly } from '../io/git-lightly.ts'
import { readPrivate } from '../io/private-file.ts'
import { KotefError } from '../report/failure.ts'
import { POLICY_FILES, policyInHead } from '../scope/state.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A worktree that somebody governs, as far as it can be opened in no time. */
export type Governed = Omit<Workspace, 'git'> & {
  /** What HEAD has of the policy's files, as git lists it; empty while HEAD is unborn. */
  readonly inHead: string
}

const [REGISTRY = ''] = POLICY_FILES

/** The first of some folders that lies in a governed worktree; null when none does, and nobody asked for anything. */
export async function governedAt(folders: readonly string[]): Promise<Governed | null> {
  for (const it of new Set(folders)) {
    const found = await governed(it)
    if (found) return found
  }
  return null
}

async function governed(folder: string): Promise<Governed | null> {
  const { where, inHead } = (await foundByHand(folder)) ?? (await foundByGit(folder))
  if (!where) return refuseBroken(folder)
  const hasState = (await disk.modifiedAt(join(where.root, '.orchestration'))) !== null
  // A registry that was taken away is damage: HEAD still has it.
  if (!hasState && !inHead.includes(`\t${REGISTRY}`)) return null
  return { ...where, files: disk, clock: systemClock, inHead }
}

type Found = {
  readonly where: Pick<Governed, 'root' | 'gitDir' | 'commonDir'> | null
  readonly inHead: string
}

// To start git takes longer than to judge, so what a commit has is asked once.
async function foundByHand(folder: string): Promise<Found | null> {
  const { head, ...where } = gitByHand(folder) ?? { head: null }
  if (head === null || !('root' in where)) return null
  const [known, inHead = ''] = (readPrivate(cacheIn(where))?.split('\n') ?? []) as (string | undefined)[]
  return known === head ? { where, inHead } : null
}

async function foundByGit(folder: string): Promise<Found> {
  const [where, inHead] = await Promise.all([askLightly(folder, whereAmI), askLightly(folder, policyInHead)])
  const [root, gitDir, commonDir] = where ?? []
  if (!root || !gitDir || !commonDir) return { where: null, inHead: '' }
  const found = { where: { root, gitDir, commonDir }, inHead: inHead ?? '' }
  const head = gitByHand(folder)?.head ?? null
  if (head !== null && (await disk.modifiedAt(join(gitDir, 'kotef'))) !== null) {
    // Asked again by the commit's name: HEAD may have moved on since.
    const listed = await askLightly(root, {
      ...policyInHead,
      args: policyInHead.args.map(it => (it === 'HEAD' ? head : it)),
    })
    if (listed !== null) await disk.put(cacheIn(found.where), `${head}\n${listed}`).catch(() => {})
  }
  return found
}

function cacheIn({ gitDir }: { readonly gitDir: string }): string {
  return join(gitDir, 'kotef/in-head')
}

// Where a repository is governed, and git can't read it, nobody can say what is allowed.
async function refuseBroken(folder: string): Promise<null> {
  for (let at = folder; ; at = dirname(at)) {
    const [git, state] = await Promise.all(['.git', '.orchestration'].map(it => lstat(join(at, it)).catch(() => null)))
    if (git && state) throw new KotefError('git-failed', `Git can't tell what is in ${at}.`)
    if (git || at === dirname(at)) return null
  }
}
