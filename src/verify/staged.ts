import { join } from 'node:path'
import { autoMerge, ownOfMerge, type OwnOfMerge, pathsBetween } from '../diff/merges.ts'
import { type Change, emptyTree, stagedChanges } from '../diff/staged.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import { KotefError } from '../report/failure.ts'
import type { Verification } from '../report/verification.ts'
import type { StagedFacts } from '../rules/facts.ts'
import { judgeStaged } from '../rules/judge-staged.ts'
import { madeFrom } from '../trailers/made-from.ts'
import { heritageOf } from '../workspace/inherited.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { headOid } from '../diff/head-oid.ts'
import { isMove } from '../workspace/registry-moves.ts'
import { liveAgents, liveSessions } from '../workspace/sessions.ts'
import type { Bench } from './ranges.ts'

/** Judges what is staged, as it would be judged before a commit of it. */
export async function verifyStaged(
  bench: Bench,
  { allowEmpty }: { readonly allowEmpty: boolean },
): Promise<Verification> {
  const head = await bench.git.tryAsk(headOid)
  const facts = await factsOf(bench, head)
  if (facts.changes.length === 0 && !allowEmpty) throw new KotefError('range-empty', 'Nothing is staged.')
  const findings = judgeStaged(facts).map(it => ({ ...it, commit: null, subject: null }))
  return { ranges: [{ name: 'index', from: head, to: null, commits: 0, passedOver: 0 }], findings }
}

async function factsOf(bench: Bench, head: string | null): Promise<StagedFacts> {
  const policy = await loadPolicy(bench)
  const merge = head && (await stagedMerge(bench))
  const changes = merge ? merge.changes : await bench.git.ask(stagedChanges(head ?? (await bench.git.ask(emptyTree))))
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const registryMoves = registry ? await isMove(bench.blobs, registry) : false
  return {
    changes,
    policy,
    live: [...new Set((await liveSessions(bench)).map(it => it.intent))],
    adoption: Boolean(registry && !registry.before && registry.after) && !(await isInHead(bench)),
    agents: await liveAgents(bench),
    // The message says whether this governs; then somebody asks who approved it.
    approved: false,
    replaying: false,
    conflicted: merge ? merge.conflicted : null,
    inherited: await inheritedHere(bench),
    registryMoves,
  }
}

async function isInHead({ blobs }: Bench): Promise<boolean> {
  return (await blobs.read(`HEAD:${REGISTRY_PATH}`)) !== null
}

async function inheritedHere(bench: Bench) {
  const [named, messages] = [await textsOf(bench, AT_HAND), await textsOf(bench, ['MERGE_MSG', 'SQUASH_MSG'])]
  const commit = { oid: '', madeFrom: [...named.map(it => it.trim()), ...messages.flatMap(madeFrom)] }
  return (await heritageOf(bench.git, [commit], { rewrites: new Map() }))(commit)
}

const AT_HAND = ['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD']

async function textsOf({ files, gitDir }: Bench, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(it => files.read(join(gitDir, it))))
  return found.flatMap(it => (it ? [it.toString('latin1')] : []))
}

/** What the merge that is about to be made adds to both sides; null when none is. */
async function stagedMerge(bench: Bench): Promise<OwnOfMerge | null> {
  const { git } = bench
  const others = (await textsOf(bench, ['MERGE_HEAD'])).flatMap(it => it.trim().split('\n'))
  const [other, ...more] = others
  if (other === undefined) return null
  const [first = [], ...rest] = await Promise.all(['HEAD', ...others].map(it => git.ask(stagedChanges(it))))
  const changes = first.filter(({ path }: Change) => rest.every(all => all.some(it => it.path === path)))
  const merge = more.length === 0 ? await git.tryAsk(autoMerge('HEAD', other)) : null
  if (merge)
    return ownOfMerge(changes, { ...merge, edited: (await git.ask(stagedChanges(merge.tree))).map(it => it.path) })
  const apart = await Promise.all(others.map(it => git.ask(pathsBetween('HEAD', it))))
  return ownOfMerge(changes, { conflicted: apart.flat(), edited: null })
}
