// What an author does when a branch and main do not go together.

import { type Desk, noteRefusal, outputOf, playHonestly } from './team-desk.ts'
import { mustPlay, playAs } from './team-world.ts'

/**
 * Brings main into the branch, or the branch onto main, and pushes. Where both have another intent under one id, that
 * is refused, and what kotef prints is the way out.
 */
export async function settleWithMain(desk: Desk, way: 'merge' | 'rebase'): Promise<void> {
  const { world, request, member } = desk
  await mustPlay(world, member, `git fetch -q && git switch -q ${request.branch}`)
  const bring = way === 'merge' ? 'git merge --no-edit origin/main' : 'git rebase origin/main'
  const push = way === 'merge' ? 'git push -q' : 'git push -q --force-with-lease'
  const result = await playAs(world, member, bring)
  if (result.code !== 0) return leaveClash(desk, { way, command: bring, text: outputOf(result) })
  await playHonestly(desk, `${push} origin ${request.branch}`)
}

type Clash = { readonly way: 'merge' | 'rebase'; readonly command: string; readonly text: string }

async function leaveClash(desk: Desk, { way, command, text }: Clash): Promise<void> {
  const { world, request, member } = desk
  const [, id] = /has two meanings; .*intent renumber (\S+) --commit/.exec(text) ?? []
  if (id === undefined) throw noteRefusal(desk, command, text)
  world.tally.expected.push({ request: request.number, kind: request.kind, what: command, text })
  world.progress(`#${request.number}: ${id} has two meanings, and gets another id`)
  await mustPlay(world, member, `git ${way} --abort`)
  const printed = await playHonestly(desk, `kotef intent renumber ${id} --commit`)
  const [, other = ''] = new RegExp(`^${id} is (\\S+) now`, 'm').exec(printed) ?? []
  const added = request.adds.find(it => it.id === id)
  if (added) added.id = other
  request.cites.delete(id)
  request.cites.add(other)
  const [, push = ''] = /replace it there with `(.*)`/.exec(printed) ?? []
  await playHonestly(desk, push)
  if (way === 'rebase' || world.random.below(2) === 0) return
  await playHonestly(desk, 'git merge -q --no-edit origin/main')
  await playHonestly(desk, `git push -q origin ${request.branch}`)
}

/**
 * Brings the branch onto main, when the forge could not. Where that says once more that an id has two meanings, which
 * was settled as kotef prints it, the branch is at a dead end: its author makes its commits again by hand.
 */
export async function rebaseByHand(desk: Desk): Promise<void> {
  const { world, request, member } = desk
  await mustPlay(world, member, `git fetch -q && git switch -q ${request.branch}`)
  const result = await playAs(world, member, 'git rebase origin/main')
  const text = outputOf(result)
  if (result.code !== 0) {
    if (!text.includes('has two meanings')) throw noteRefusal(desk, 'git rebase origin/main', text)
    const trouble = { request: request.number, kind: request.kind, what: 'git rebase origin/main', text }
    world.tally.deadEnds.push(trouble)
    world.progress(`#${request.number} (${request.kind}): a rebase after the renumbering stops again:\n${text}`)
    await mustPlay(world, member, 'git rebase --abort')
    await playHonestly(desk, 'git merge -q --no-edit origin/main')
    await playHonestly(desk, 'git reset -q --soft origin/main')
    await playHonestly(desk, "git commit -qm 'add the intent' -m 'Governance: add the intent' -- .orchestration")
    const trailers = [...request.cites].map(it => `--trailer 'Intent-ID: ${it}'`).join(' ')
    await playHonestly(desk, `git commit -qm '${request.title}' ${trailers}`)
  }
  await playHonestly(desk, `git push -q --force-with-lease origin ${request.branch}`)
}
