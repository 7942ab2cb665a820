// Sessions that select: `selectOrThrow`, `trySelect`, `claimHolders`, and a repository with intents of every kind.

import { join } from 'node:path'
import { type IntentSelection, selectIntent, type SelectedIntent } from '../../src/world/lifecycle/select-intent.ts'
import { type KotefError, toKotefError } from '../../src/core/base/failure.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Clock } from '../../src/world/io/process/clock.ts'
import { manualClock } from './manual-clock.ts'
import { hookedRepo } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

/** Intents of every kind, and none in work. */
export const MIXED_REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: work, status: PENDING, owned_scope: ["src/**"] }
  - { id: INT-002, name: docs, status: IN_PROGRESS, owned_scope: ["lib/**", "src/a.ts"] }
  - { id: INT-003, name: rest, status: BLOCKED, owned_scope: ["docs/**"] }
  - { id: INT-004, name: done, status: COMPLETED }
  - { id: INT-005, name: gone, status: ABANDONED }
  - { id: INT-006, name: late, status: PENDING, depends_on: [INT-004, INT-002] }
`

/** A governed repository in which nobody works yet. */
export function unselectedRepo(): Promise<Repo> {
  return hookedRepo({ registry: MIXED_REGISTRY, start: null })
}

/** Lets sessions that begin later do the same again and again, which would stop their runs. */
export async function switchRunsOff(repo: Repo): Promise<void> {
  await repo.write('.orchestration/config.yaml', 'version: 1\nruns: { profile: "off" }\n')
}

export type SelectionOptions = Partial<IntentSelection> & { readonly at?: string; readonly clock?: Clock }

/** Selects an intent, INT-001 for session `s` unless told: what came of it, or the refusal. */
export async function selectOrThrow(
  repo: Repo,
  { at, clock, ...wish }: SelectionOptions = {},
): Promise<SelectedIntent & { refusal: null }> {
  const outcome = await trySelect(repo, { ...(at ? { at } : {}), ...(clock ? { clock } : {}), ...wish })
  if (outcome.refusal) throw outcome.refusal
  return outcome
}

/** As `selected`, but a refusal is an answer. */
export async function trySelect(
  repo: Repo,
  { at = repo.root, clock = manualClock(), ...wish }: SelectionOptions = {},
): Promise<(SelectedIntent & { refusal: null }) | { refusal: KotefError }> {
  const selection = { session: 's', agent: 'claude', model: null, intent: 'INT-001', ...wish }
  try {
    return { ...(await selectIntent(await openWorkspace(at, { clock }), selection)), refusal: null }
  } catch (thrown) {
    return { refusal: toKotefError(thrown) }
  }
}

/** Adds a worktree beside a repository; its folder. */
export async function addWorktree(repo: Repo, name: string): Promise<string> {
  const folder = join(repo.base, name)
  await repo.git('worktree', 'add', '--quiet', '--detach', folder)
  return folder
}

/** The claims of a clone, by intent: which session holds each. */
export async function claimHolders(repo: Repo): Promise<Record<string, string>> {
  const refs = await repo.git('for-each-ref', '--format=%(objectname) %(refname:lstrip=3)', 'refs/kotef/claims')
  const pairs = refs
    .split('\n')
    .slice(0, -1)
    .map(async line => {
      const [oid = '', intent = ''] = line.split(' ')
      const { session } = JSON.parse(await repo.git('cat-file', 'blob', oid)) as { session: string }
      return [intent, session] as const
    })
  return Object.fromEntries(await Promise.all(pairs))
}
