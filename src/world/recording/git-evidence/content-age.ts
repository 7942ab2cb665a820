import type { AskedFacts, GivenFacts } from '../../../core/authorship/change-origin/facts.ts'
import { broughtByGit, committedOver, firstSource } from '../../../core/authorship/change-origin/timeline.ts'
import { cleaningBefore, hiddenBy } from '../../../core/git/setting-changes.ts'
import type { FileState } from '../../io/files/file-state.ts'
import { type Git, gitWithEnv } from '../../io/git/git.ts'
import { withoutRepositoryEnv } from '../../io/git/run-git.ts'
import type { WorktreeState } from '../observation/worktree-state.ts'
import { savedSettingPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { GitEvidence } from './evidence.ts'
import { blobMadeAt } from './object-age.ts'
import { intervalsSince } from '../../../core/authorship/change-origin/index-lock.ts'

/** Since when git has a content, and the time at which it was made, where that is known. */
export type ContentAge = { readonly age: AskedFacts['contentAge']; readonly madeAt: number }

type Stored = { readonly path: string; readonly oid: string; readonly exists?: boolean }

/** Since when git has a content of a path; where it is known that it `exists`, git need not read it. */
export async function contentAgeOf(evidence: GitEvidence, { path, oid, exists = false }: Stored): Promise<ContentAge> {
  const { workspace, blobs, state } = evidence
  const madeAt = await blobMadeAt(workspace, blobs, { oid, exists })
  if (madeAt === null) return { age: 'not-in-git', madeAt: Infinity }
  if (state.epoch.hasSeen(path, oid)) return { age: 'seen-here', madeAt }
  if (madeAt >= state.epoch.began.at || state.epoch.wasStashedUnseen(path, oid)) return { age: 'this-epoch', madeAt }
  // What was typed and packed at once looks old; a plain commit of this epoch shows that it is not.
  const isHidden =
    madeAt === -Infinity && (await evidence.isPackedInEpoch()) && (await isCommitted(evidence, path, oid))
  return { age: isHidden ? 'this-epoch' : 'before-epoch', madeAt }
}

async function isCommitted({ history }: GitEvidence, path: string, oid: string): Promise<boolean> {
  return firstSource(await (await history()).at(path), oid) === 'commit'
}

/** The blob that stands for a file, and its age: a filter may have made it of other bytes. */
export async function blobOf(
  evidence: GitEvidence,
  { path, status }: { readonly path: string; readonly status: GivenFacts['status'] },
  { oid, bytes }: FileState,
): Promise<ContentAge & { readonly oid: string }> {
  const indexed = evidence.state.index.get(path)?.oid
  const isInIndex = status === 'clean' || status === 'staged'
  const raw = await contentAgeOf(evidence, { path, oid, exists: isInIndex && indexed === oid })
  if (raw.age !== 'not-in-git') return { oid, ...raw }
  const filtered = isInIndex ? indexed : await evidence.filteredOid(path, bytes)
  if (filtered === undefined || filtered === null) return { oid, ...raw }
  return { oid: filtered, ...(await contentAgeOf(evidence, { path, oid: filtered, exists: isInIndex })) }
}

/**
 * Asks git which blob its filters make of a file; only where there may be filters, as that takes a process each. Of
 * filters that an agent may have changed, those from before count; null where git can't be asked by these.
 */
export function filteredOidReader(
  workspace: Workspace,
  settings: WorktreeState['settings'],
): (path: string, bytes: Buffer | null) => Promise<string | null> {
  const before = cleaningGit(workspace, settings)
  const filters = workspace.git.tryAsk({ args: ['config', '--get-regexp', '^filter\\.'], parse: out => out !== '' })
  let left = FILES_MAX
  return async (path, bytes) => {
    const isFiltered = bytes?.includes('\r\n') || isInDoubt(settings) || (await filters)
    if (before === null || !isFiltered || left-- <= 0) return null
    return before.git.tryAsk({ args: [...before.options, 'hash-object', '--', path], parse: out => out.trim() || null })
  }
}

type CleaningGit = { readonly git: Git; readonly options: readonly string[] }

function cleaningGit(
  { root, commonDir, git, ...worktree }: Workspace,
  settings: WorktreeState['settings'],
): CleaningGit | null {
  const savedAttributes = savedSettingPath(worktree, 'personal-attributes')
  const cleaning = cleaningBefore(settings?.standing ?? [], { trusted: settings?.trusted ?? {}, savedAttributes })
  if (cleaning === null || cleaning.options.length === 0) return cleaning && { git, options: [] }
  const env = { ...withoutRepositoryEnv(process.env), ...cleaning.env }
  return { git: gitWithEnv(root, env, commonDir), options: cleaning.options }
}

/** Whether git may call a file clean by a filter that an agent has set, and perhaps put back. */
export function isInDoubt(settings: WorktreeState['settings']): boolean {
  return settings !== null && ((settings.looksDue ?? 0) > 0 || hiddenBy(settings.standing).content)
}

const FILES_MAX = 100

/**
 * Blobs: what moves of HEAD brought, and all that git may have put there. `over` is what a commit first replaced by the
 * present content, where git left that commit before anybody looked; null for no file.
 */
type Restored = {
  readonly moved: string | null
  readonly all: readonly string[]
  readonly over: string | null | undefined
}

/** What git may have put at a path since it was seen, before somebody wrote there; `entry` is the index's blob. */
export async function restoredAt(
  evidence: GitEvidence,
  path: string,
  { entry, since, content }: { readonly entry: string | null; readonly since: number; readonly content?: string },
): Promise<Restored> {
  const worked = intervalsSince(evidence.intervals(), since)
  if (worked.length === 0) return { moved: null, all: [], over: undefined }
  // While nobody watched, nothing shows in which order things were done.
  const wasWatched = worked.every(it => it.from > -Infinity)
  const history = await evidence.history()
  const isGits = async (oid: string): Promise<boolean> =>
    (wasWatched && (await contentAgeOf(evidence, { path, oid })).age !== 'this-epoch') ||
    firstSource(await history.at(path), oid) === 'git'
  const inspected = evidence.state.epoch.inspectedAt(path)
  const { moves } = await history.at(path, { since: inspected, each: true })
  const moved = broughtByGit(moves)
  const indexed = entry !== null && (await isGits(entry)) ? entry : null
  const over = committedOver((await history.at(path)).moves, moves, content)
  return { moved, all: [moved, indexed, (await evidence.popped())(path)].filter(it => it !== null), over }
}
