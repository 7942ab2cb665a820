// What the requests of a team are like, which one author makes alone.

import {
  addIntent,
  changeFolder,
  commitWork,
  type Desk,
  playHonestly,
  pushBranch,
  putFile,
  startBranch,
} from './team-desk.ts'
import { updateOnForge } from './team-forge.ts'
import { settleWithMain } from './team-clash.ts'
import { mustPlay, type TeamIntent, type TeamWorld } from './team-world.ts'

/** The work on a request, up to its first push. */
type Work = (desk: Desk) => Promise<void>

/** Each by its name, with what is in it. */
export const WORKS: Readonly<Record<string, Work>> = {
  'work for an open intent': async desk => {
    const intent = anyIntent(desk.world)
    for (let left = 1 + desk.world.random.below(3); left > 0; left--) await commitWork(desk, intent)
  },
  'new intent and work': async desk => {
    const intent = await addIntent(desk)
    for (let left = 1 + desk.world.random.below(2); left > 0; left--) await commitWork(desk, intent)
  },
  'new intent, work, completion': async desk => {
    const intent = await addIntent(desk)
    for (let left = 1 + desk.world.random.below(2); left > 0; left--) await commitWork(desk, intent)
    await playHonestly(desk, `kotef intent complete ${intent.id} --attest --commit`)
    desk.request.adds.length = 0
  },
  'wider scope and work': async desk => {
    const { id, owner } = anyIntent(desk.world)
    const folder = `packages/n${desk.request.number}`
    await playHonestly(desk, `kotef intent edit ${id} --add-scope '${folder}/**' --commit`)
    await commitWork(desk, { id, folder, owner, isLate: true })
  },
  'two intents': async desk => {
    const one = anyIntent(desk.world)
    await commitWork(desk, one)
    await commitWork(desk, desk.world.random.pick(desk.world.intents.filter(it => it !== one)))
  },
  'fixup and autosquash': autosquashed,
  'update branch': async desk => {
    const intent = anyIntent(desk.world)
    await commitWork(desk, intent)
    desk.request.later = () => updateBranch(desk, intent)
  },
  'stray file, taken back in the request': strayTakenBack,
}

/** What an agent in the cloud makes, without kotef: an empty commit, so that there is a branch, and then the work. */
export async function planAndWork(desk: Desk): Promise<void> {
  const { world, member } = desk
  const intent = anyIntent(world)
  await mustPlay(world, member, `git commit -q --allow-empty -m 'Initial plan'`)
  putFile(desk, `${intent.folder}/f${desk.request.number}-${world.files++}.ts`)
  desk.request.cites.add(intent.id)
  await mustPlay(world, member, `git add -A && git commit -qm 'Add a file' -m 'Intent-ID: ${intent.id}'`)
}

/** Begins the branch, works, and pushes. */
export async function workAndPush(desk: Desk, work: Work): Promise<void> {
  await startBranch(desk)
  await work(desk)
  await pushBranch(desk)
}

export function anyIntent({ random, intents }: TeamWorld): TeamIntent {
  const legacy = intents.filter(it => it.folder.startsWith('packages/legacy'))
  return random.pick(random.below(5) < 2 ? legacy : intents)
}

async function autosquashed(desk: Desk): Promise<void> {
  const { random } = desk.world
  const intent = anyIntent(desk.world)
  await commitWork(desk, intent)
  for (let left = 1 + random.below(2); left > 0; left--) {
    changeFolder(desk, intent.folder)
    await playHonestly(desk, 'git add -A && git commit -q --fixup=HEAD')
  }
  const squash = 'git rebase -q -i --autosquash origin/main'
  if (random.below(2) === 0) return void (await playHonestly(desk, squash))
  desk.request.later = async () => {
    await playHonestly(desk, `git switch -q ${desk.request.branch}`)
    await playHonestly(desk, squash)
    await playHonestly(desk, `git push -q --force-with-lease origin ${desk.request.branch}`)
  }
}

// Main goes on, and the branch takes it in, by the button or in the clone; then the work goes on.
async function updateBranch(desk: Desk, intent: TeamIntent): Promise<void> {
  const { world, request } = desk
  const isByForge = world.random.below(2) === 0 && (await updateOnForge(world, request))
  await playHonestly(desk, `git fetch -q && git switch -q ${request.branch} && git merge -q --ff-only @{upstream}`)
  if (!isByForge) await settleWithMain(desk, 'merge')
  if (world.random.below(2) === 0) return
  await commitWork(desk, intent, 'more')
  await playHonestly(desk, `git push -q origin ${request.branch}`)
}

async function strayTakenBack(desk: Desk): Promise<void> {
  const { world, request, member } = desk
  const intent = anyIntent(world)
  const path = world.random.pick([`stray-${request.number}.txt`, 'notes.txt'])
  await mustPlay(world, member, `echo 'request ${request.number}' >>${path} && git add ${path}`)
  await mustPlay(world, member, `KOTEF=0 git commit -qm 'try' -m 'Intent-ID: ${intent.id}'`)
  await commitWork(desk, intent)
  const back = path === 'notes.txt' ? 'git checkout -q origin/main -- notes.txt' : `git rm -q ${path}`
  const trailer = `-m 'Intent-ID: ${intent.id}'`
  const ways = ['git revert --no-edit HEAD~1', `${back} && git commit -qm 'Take ${path} back' ${trailer}`]
  await playHonestly(desk, world.random.pick(ways))
}
