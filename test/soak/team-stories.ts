import { clearDesk, type Desk } from './team-desk.ts'
import { attempt, landBackport, openRequest } from './team-landing.ts'
import { backport, bump, clash, fixOnTop, pickable, pushStray, revert, revertible, takeBack } from './team-parts.ts'
import { planAndWork, workAndPush, WORKS } from './team-requests.ts'
import type { Member, TeamWorld } from './team-world.ts'

/** Opens requests of a kind; false while there is nothing yet that they could be about. */
type Story = (world: TeamWorld, kind: string) => Promise<boolean>

/** The kinds of requests of a team, by their names. */
export const STORIES: Readonly<Record<string, Story>> = {
  ...Object.fromEntries(Object.keys(WORKS).map(it => [it, playWork])),
  'empty commit first': async (world, kind) => {
    const desk = newDesk(world, kind, world.cloud.agent)
    return openRequest(desk, () => workAndPush(desk, planAndWork))
  },
  revert: async (world, kind) => {
    const landed = revertible(world)
    return landed !== undefined && openBy(world, kind, desk => revert(desk, landed))
  },
  'stray file on main, taken back': async (world, kind) => {
    const stray = await pushStray(world, world.random.pick(world.people))
    return openBy(world, kind, desk => takeBack(desk, stray))
  },
  'one id for two intents': async (world, kind) => {
    const one = world.random.pick(world.people)
    const other = world.random.pick(world.people.filter(it => it !== one))
    const desks = [newDesk(world, kind, one), newDesk(world, kind, other)] as const
    // Both are pushed before one of them lands.
    if (await attempt(desks[0], () => clash(...desks))) for (const desk of desks) await openRequest(desk)
    else await clearDesk(desks[1])
    return true
  },
  'bot alone': (world, kind) => openBump(world, kind, null),
  'bot and a person': (world, kind) => openBump(world, kind, world.random.pick(world.people)),
  backport: (world, kind) => openBackport(world, kind, false),
  'backport without the changes before it': (world, kind) => openBackport(world, kind, true),
}

/** Plays a request of a kind, or plain work while there is nothing that it could be about. */
export async function playStory(world: TeamWorld, kind: string): Promise<void> {
  if (!(await STORIES[kind]?.(world, kind))) await playWork(world, PLAIN)
}

const PLAIN = 'work for an open intent'

type Work = (desk: Desk) => Promise<void>

async function playWork(world: TeamWorld, kind: string): Promise<boolean> {
  const work = WORKS[kind]
  return work !== undefined && openBy(world, kind, work)
}

async function openBy(world: TeamWorld, kind: string, work: Work): Promise<boolean> {
  const desk = newDesk(world, kind, world.random.pick(world.people))
  return openRequest(desk, () => workAndPush(desk, work))
}

async function openBump(world: TeamWorld, kind: string, person: Member | null): Promise<boolean> {
  if (world.busy.has('package-lock.json')) return false
  const desk = newDesk(world, kind, world.cloud.bot)
  return openRequest(desk, async () => {
    await workAndPush(desk, bump)
    if (person !== null) await fixOnTop(desk, person)
  })
}

async function openBackport(world: TeamWorld, kind: string, isTorn: boolean): Promise<boolean> {
  const landed = pickable(world, isTorn)
  if (landed === undefined) return false
  const desk = newDesk(world, kind, world.random.pick(world.people))
  await attempt(desk, async () => {
    await backport(desk, landed)
    await landBackport(desk)
  })
  return true
}

function newDesk(world: TeamWorld, kind: string, member: Member): Desk {
  const number = ++world.requests
  world.tally.requests.set(kind, (world.tally.requests.get(kind) ?? 0) + 1)
  const plain = { adds: [], cites: new Set<string>(), later: null, reverts: null, checked: null }
  const request = { number, kind, title: `Request ${number}: ${kind}`, branch: `w${number}`, author: member, ...plain }
  return { world, request, member }
}
