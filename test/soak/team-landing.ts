// From the check of a request to main: what reviewers and the forge do.

import { rebaseByHand, settleWithMain } from './team-clash.ts'
import { clearDesk, type Desk, outputOf, WronglyRefused } from './team-desk.ts'
import { checkBranch, checkMain, checkRequest, landRequest, onServer, tipOf } from './team-forge.ts'
import type { Landing, PullRequest, TeamWorld, Trouble } from './team-world.ts'

/** Does some work on a request; false when kotef refused a step of it, which closes the request. */
export async function attempt(desk: Desk, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (thrown) {
    if (!(thrown instanceof WronglyRefused)) throw thrown
    await clearDesk(desk)
    closeRequest(desk)
    return false
  }
}

/** Works on a request and has it checked; where nothing is refused, it is open then. True: it was made. */
export async function openRequest(desk: Desk, work = () => Promise.resolve()): Promise<true> {
  const isOpen = await attempt(desk, async () => {
    await work()
    await mustBeGreen(desk)
  })
  if (isOpen) desk.world.open.push(desk.request)
  return true
}

/** The pipeline of a request, unless it ran for the same commits; its author settles a conflict with main before. */
async function mustBeGreen(desk: Desk): Promise<void> {
  const { world, request } = desk
  const [main, head] = [await tipOf(world, 'main'), await tipOf(world, request.branch)]
  if (request.checked?.main === main && request.checked.head === head) return
  let check = await checkRequest(world, request)
  if (check.state === 'conflict') {
    const isRebased = world.lands === 'rebase' && world.random.below(2) === 0
    await settleWithMain(desk, isRebased ? 'rebase' : 'merge')
    check = await checkRequest(world, request)
  }
  if (check.state === 'conflict') throw new Error(`#${request.number} still has a conflict with main.`)
  if (check.state === 'red') throw redRequest(desk, check.text)
  request.checked = { head: check.head, main: check.main, remarks: check.text }
}

function redRequest({ world, request }: Desk, text: string): WronglyRefused {
  noteTrouble(world, world.tally.redRequests, { request: request.number, kind: request.kind, what: 'check', text })
  return new WronglyRefused('check')
}

function noteTrouble({ progress }: TeamWorld, list: Trouble[], trouble: Trouble): void {
  list.push(trouble)
  progress(`#${trouble.request} (${trouble.kind}): ${trouble.what} is red:\n${trouble.text}`)
}

/** What its author does last, the check as main is now, the landing, and the pipeline of main. */
export async function finishRequest(world: TeamWorld, request: PullRequest): Promise<void> {
  const desk: Desk = { world, request, member: request.author }
  world.open.splice(world.open.indexOf(request), 1)
  await attempt(desk, async () => {
    await request.later?.()
    await mustBeGreen(desk)
    const way = wayOf(world, request)
    const before = await tipOf(world, 'main')
    world.tally.commits += await countCommits(world, `${before}..${request.branch}`)
    const landed = await landBy(desk, way)
    await noteLanding(desk, { ...landed, before })
  })
  closeRequest(desk)
}

// A reviewer who reads that a squash would be refused takes the other button.
function wayOf({ lands, random }: TeamWorld, { checked }: PullRequest): Landing {
  if (lands !== 'all') return lands
  const way = random.pick(['merge', 'squash', 'rebase'] as const)
  return /squash-refused|squashed or rebased/.test(checked?.remarks ?? '') ? 'merge' : way
}

type Landed = { readonly way: Landing; readonly after: string }

async function landBy(desk: Desk, way: Landing): Promise<Landed> {
  const { world, request } = desk
  const after = await landRequest(world, request, way)
  if (after !== null) return { way, after }
  if (world.lands === 'all') return landBy(desk, 'merge')
  await rebaseByHand(desk)
  await mustBeGreen(desk)
  const again = await landRequest(world, request, way)
  if (again === null) throw new Error(`#${request.number} still can't be rebased.`)
  return { way, after: again }
}

async function noteLanding({ world, request }: Desk, landed: Landed & { readonly before: string }): Promise<void> {
  const { before, after, way } = landed
  const { tally, intents } = world
  tally.landings.set(way, (tally.landings.get(way) ?? 0) + 1)
  const paths = (await onServer(world, `git diff --name-only --no-renames ${before} ${after}`)).split('\n')
  world.landed.push({ request, way, before, after, paths })
  intents.push(...request.adds)
  const { code, stdout, stderr } = await checkMain(world, before)
  if (code === 0) return
  const text = outputOf({ code, stdout, stderr })
  noteTrouble(world, tally.redMains, { request: request.number, kind: request.kind, what: `main after a ${way}`, text })
}

function closeRequest({ world: { busy }, request }: Desk): void {
  for (const [path, number] of busy) if (number === request.number) busy.delete(path)
}

async function countCommits(world: TeamWorld, range: string): Promise<number> {
  return Number(await onServer(world, `git rev-list --count ${range}`))
}

/** Judges a backport as the release branch would get it, and fast-forwards that branch. */
export async function landBackport(desk: Desk): Promise<void> {
  const { world, request } = desk
  const range = `release/1..${request.branch}`
  world.tally.commits += await countCommits(world, range)
  const result = await checkBranch(world, `origin/release/1..origin/${request.branch}`)
  if (result.code !== 0) throw redRequest(desk, outputOf(result))
  await onServer(world, `git update-ref refs/heads/release/1 refs/heads/${request.branch}`)
  world.tally.landings.set('backport', (world.tally.landings.get('backport') ?? 0) + 1)
  closeRequest(desk)
}
