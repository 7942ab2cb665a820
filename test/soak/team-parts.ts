// What several people, bots or branches have a part in.

import {
  addIntent,
  addLine,
  commitWork,
  type Desk,
  noteRefusal,
  outputOf,
  playHonestly,
  pushBranch,
  putFile,
  startBranch,
} from './team-desk.ts'
import { checkMain, onServer, tipOf } from './team-forge.ts'
import { anyIntent } from './team-requests.ts'
import { type LandedRequest, type Member, mustPlay, playAs, type TeamWorld } from './team-world.ts'

/** Two people add an intent on the same morning, and each gets the same id; both branches are pushed. */
export async function clash(one: Desk, other: Desk): Promise<void> {
  for (const desk of [one, other]) await startBranch(desk)
  for (const desk of [one, other]) await addIntent(desk)
  for (const desk of [one, other]) {
    for (const intent of desk.request.adds) await commitWork(desk, intent)
    await pushBranch(desk)
  }
}

/** A bot changes the lock file. It has no hooks. */
export async function bump(desk: Desk): Promise<void> {
  putFile(desk, 'package-lock.json')
  await mustPlay(desk.world, desk.member, "git commit -qam 'Bump a package'")
}

/** A person adds to the branch of a bot what its change needs. */
export async function fixOnTop({ world, request }: Desk, member: Member): Promise<void> {
  const desk = { world, request, member }
  const { branch } = request
  await mustPlay(world, member, `git fetch -q --prune && git switch -q -c ${branch} origin/${branch}`)
  await commitWork(desk, anyIntent(world), 'fix for the new version')
  await playHonestly(desk, `git push -q origin ${branch}`)
}

/** Somebody pushes a file that no intent owns past all hooks; main is red, rightly. Its path and commit. */
export async function pushStray(world: TeamWorld, member: Member): Promise<{ path: string; commit: string }> {
  const isNew = world.busy.has('notes.txt') || world.random.below(2) === 0
  const path = isNew ? `stray-${world.requests}.txt` : 'notes.txt'
  const trailer = world.random.pick(['', `-m 'Intent-ID: ${anyIntent(world).id}'`])
  await mustPlay(world, member, 'git fetch -q && git switch -q --detach origin/main')
  await mustPlay(world, member, `echo stray >>${path} && git add ${path} && KOTEF=0 git commit -qm stray ${trailer}`)
  const before = await tipOf(world, 'main')
  await mustPlay(world, member, 'KOTEF=0 git push -q --no-verify origin HEAD:main')
  const { code } = await checkMain(world, before)
  if (code !== 1) throw new Error(`A stray file on main is not found: kotef verify ended with ${code}.`)
  world.tally.strayMains++
  return { path, commit: await tipOf(world, 'main') }
}

/** Somebody else takes it back, in a request of their own. */
export async function takeBack(desk: Desk, { path, commit }: { path: string; commit: string }): Promise<void> {
  const { world, request } = desk
  const { id } = anyIntent(world)
  world.busy.set(path, request.number)
  const back = path === 'notes.txt' ? `git checkout -q ${commit}~1 -- ${path}` : `git rm -q ${path}`
  const byHand = `${back} && git commit -qm 'Take ${path} back' -m 'Intent-ID: ${id}'`
  await playHonestly(desk, world.random.pick([`git revert --no-edit ${commit}`, byHand]))
  if (world.random.below(2) === 0) await commitWork(desk, anyIntent(world))
}

/** A landed request that nothing was built upon since, or undefined. */
export function revertible({ landed, open, random }: TeamWorld): LandedRequest | undefined {
  const reverted = new Set([...landed.map(it => it.request), ...open].map(it => it.reverts))
  const fit = landed.filter((it, n) => {
    const later = landed.slice(n + 1)
    const ids = it.request.adds.map(added => added.id)
    const isUsed = [...later.map(one => one.request), ...open].some(one => ids.some(id => one.cites.has(id)))
    const isChanged = later.some(one => one.paths.some(path => it.paths.includes(path)))
    const isShared = open.some(one => [...one.cites].some(id => it.request.cites.has(id)))
    return !isUsed && !isChanged && !isShared && !reverted.has(it) && REVERTED.test(it.request.kind)
  })
  return fit.length === 0 ? undefined : random.pick(fit)
}

const REVERTED = /^(work|new|wider|two|fixup|update)/

/** Reverts what landed: the merge, the squash, or each of the commits. */
export async function revert(desk: Desk, landed: LandedRequest): Promise<void> {
  const { world, request } = desk
  const { way, before, after } = landed
  request.reverts = landed
  // Nobody begins work for an intent that is about to go.
  for (const added of landed.request.adds) world.intents.splice(world.intents.indexOf(added), 1)
  const what = { merge: `-m 1 ${after}`, squash: after, rebase: `${before}..${after}` }[way]
  await playHonestly(desk, `git revert --no-edit ${what}`)
}

/** A request that `release/1` may want; with `isTorn`, one that changed a file after others had. */
export function pickable({ landed, picked, random }: TeamWorld, isTorn: boolean): LandedRequest | undefined {
  const reverted = new Set(landed.map(it => it.request.reverts))
  const fit = landed.filter((it, n) => {
    const earlier = landed.slice(0, n).filter(one => !picked.has(one.request.number))
    const isLater = it.paths.some(path => LEGACY.test(path) && earlier.some(one => one.paths.includes(path)))
    const isWanted = PICKED.test(it.request.kind) && !picked.has(it.request.number) && !reverted.has(it)
    return isWanted && isLater === isTorn
  })
  return fit.length === 0 ? undefined : random.pick(fit)
}

const PICKED = /^(work|new|wider|two|fixup|update|one id)/
const LEGACY = /^packages\/legacy-.\//

/** Picks what landed onto `release/1`, settles what git has conflicts about, and pushes. */
export async function backport(desk: Desk, landed: LandedRequest): Promise<void> {
  const { world, request, member } = desk
  const { branch } = request
  await mustPlay(world, member, `git fetch -q --prune && git switch -q --no-track -c ${branch} origin/release/1`)
  world.picked.add(landed.request.number)
  for (const commit of await commitsToPick(world, landed)) await pick(desk, commit)
  await pushBranch(desk)
}

// Of several commits those that change code: the registry of the release stays as it is.
async function commitsToPick(world: TeamWorld, { way, before, after }: LandedRequest): Promise<string[]> {
  if (way === 'squash') return [after]
  const listed = await onServer(world, `git log --reverse --no-merges --format=%x01%H --name-only ${before}..${after}`)
  const commits = listed.split('\u0001').map(it => it.split('\n').filter(line => line !== ''))
  return commits.flatMap(([commit = '', ...paths]) => {
    return paths.length > 0 && paths.every(path => path.startsWith('packages/')) ? [commit] : []
  })
}

async function pick(desk: Desk, commit: string): Promise<void> {
  const { world, member } = desk
  const command = `git cherry-pick -x ${commit}`
  const result = await playAs(world, member, command)
  if (result.code === 0) return
  if (!result.stderr.includes('after resolving the conflicts')) throw noteRefusal(desk, command, outputOf(result))
  const torn = await mustPlay(world, member, 'git diff --name-only --diff-filter=U')
  for (const path of torn.split('\n')) {
    const isCode = path.startsWith('packages/')
    // An intent that the release lacks may stay away, or come with the commit that changed it.
    const isKept = isCode || world.random.below(2) === 0
    await mustPlay(world, member, isKept ? `git show ${commit}:${path} >${path}` : `git rm -q ${path}`)
    if (isCode) addLine(desk, path)
  }
  const ways = ['git cherry-pick --continue', 'git commit -q --no-edit']
  await playHonestly(desk, `git add -A && ${world.random.pick(ways)}`)
  world.tally.settled++
}
