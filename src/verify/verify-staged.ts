import { join } from 'node:path'
import { autoMerge, mergeAdditions, type MergeAdditions, changedPaths } from '../git/merges.ts'
import { type PathChange, emptyTree, stagedChanges } from '../git/changes.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { KotefError } from '../findings/failure.ts'
import type { Verification } from '../report/verification.ts'
import type { StagedFacts } from '../rules/commit-facts.ts'
import { judgeStaged } from '../rules/judge-staged.ts'
import { referencedCommits } from '../trailers/referenced-commits.ts'
import { inheritedWorkLookup } from '../commits/source-commits.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { headOid } from '../git/head-oid.ts'
import { isTransitionsOnly } from '../registry/transitions-only.ts'
import { liveAgentNames, liveSessions } from '../sessions/live-sessions.ts'
import type { ScratchWorkspace } from './verify-ranges.ts'

/** Judges what is staged, as it would be judged before a commit of it. */
export async function verifyStaged(
  bench: ScratchWorkspace,
  { allowEmpty }: { readonly allowEmpty: boolean },
): Promise<Verification> {
  const head = await bench.git.tryAsk(headOid)
  const facts = await gatherStagedFacts(bench, head)
  if (facts.changes.length === 0 && !allowEmpty) throw new KotefError('range-empty', 'Nothing is staged.')
  const findings = judgeStaged(facts).map(it => ({ ...it, commit: null, subject: null }))
  return { ranges: [{ name: 'index', from: head, to: null, commits: 0, passedOver: 0 }], findings }
}

async function gatherStagedFacts(bench: ScratchWorkspace, head: string | null): Promise<StagedFacts> {
  const policy = await loadPolicy(bench)
  const merge = head && (await mergeInProgress(bench))
  const changes = merge ? merge.changes : await bench.git.ask(stagedChanges(head ?? (await bench.git.ask(emptyTree))))
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const onlyTransitions = registry ? await isTransitionsOnly(bench.blobs, registry) : false
  return {
    changes,
    policy,
    live: [...new Set((await liveSessions(bench)).map(it => it.intent))],
    adoption: Boolean(registry && !registry.before && registry.after) && !(await isRegistryInHead(bench)),
    agents: await liveAgentNames(bench),
    // The message says whether this governs; then somebody asks who approved it.
    approved: false,
    replaying: false,
    conflicted: merge ? merge.conflicted : null,
    inherited: await stagedInheritedWork(bench),
    onlyTransitions,
  }
}

async function isRegistryInHead({ blobs }: ScratchWorkspace): Promise<boolean> {
  return (await blobs.read(`HEAD:${REGISTRY_PATH}`)) !== null
}

async function stagedInheritedWork(bench: ScratchWorkspace) {
  const [named, messages] = [
    await readGitDirFiles(bench, PSEUDO_REFS_OF_SOURCE),
    await readGitDirFiles(bench, ['MERGE_MSG', 'SQUASH_MSG']),
  ]
  const commit = { oid: '', referencedCommits: [...named.map(it => it.trim()), ...messages.flatMap(referencedCommits)] }
  return (await inheritedWorkLookup(bench.git, [commit], { rewrites: new Map() }))(commit)
}

const PSEUDO_REFS_OF_SOURCE = ['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD']

async function readGitDirFiles({ files, gitDir }: ScratchWorkspace, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(it => files.read(join(gitDir, it))))
  return found.flatMap(it => (it ? [it.toString('latin1')] : []))
}

/** What the merge that is about to be made adds to both sides; null when none is. */
async function mergeInProgress(bench: ScratchWorkspace): Promise<MergeAdditions | null> {
  const { git } = bench
  const others = (await readGitDirFiles(bench, ['MERGE_HEAD'])).flatMap(it => it.trim().split('\n'))
  const [other, ...more] = others
  if (other === undefined) return null
  const [first = [], ...rest] = await Promise.all(['HEAD', ...others].map(it => git.ask(stagedChanges(it))))
  const changes = first.filter(({ path }: PathChange) => rest.every(all => all.some(it => it.path === path)))
  const merge = more.length === 0 ? await git.tryAsk(autoMerge('HEAD', other)) : null
  if (merge)
    return mergeAdditions(changes, { ...merge, edited: (await git.ask(stagedChanges(merge.tree))).map(it => it.path) })
  const betweenParents = await Promise.all(others.map(it => git.ask(changedPaths('HEAD', it))))
  return mergeAdditions(changes, { conflicted: betweenParents.flat(), edited: null })
}
