import { randomFrom } from '../rig/random.ts'
import { finishRequest } from './team-landing.ts'
import { playStory, STORIES } from './team-stories.ts'
import { type Landing, openTeam, type TeamTally, type TeamWorld } from './team-world.ts'

export type TeamOptions = {
  readonly days: number
  readonly seed: number
  readonly lands: Landing | 'all'
  /** Gets each line of progress. */
  progress(line: string): void
}

/** Plays the days of a team of five with real git, kotef's hooks in each clone, and a forge; what was counted. */
export async function playTeam({ days, seed, lands, progress }: TeamOptions): Promise<TeamTally> {
  const world = await openTeam({ random: randomFrom(seed), lands, progress })
  await using _repo = world.repo
  try {
    await playDays(world, days)
  } catch (thrown) {
    // What was counted so far says more than nothing.
    world.tally.broken = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
  return world.tally
}

async function playDays(world: TeamWorld, days: number): Promise<void> {
  const bag: string[] = []
  for (let day = 1; day <= days; day++) {
    for (let left = STORIES_A_DAY; left > 0; left--) {
      // Out of a bag, so that each kind comes about as often as the others.
      if (bag.length === 0) bag.push(...Object.keys(STORIES))
      for (const kind of bag.splice(world.random.below(bag.length), 1)) await playStory(world, kind)
    }
    for (const request of [...world.open]) {
      // Some stay open overnight, and main goes on without them.
      if (day === days || world.random.below(4) > 0) await finishRequest(world, request)
    }
    const { wrong, redRequests, redMains, commits } = world.tally
    const counts = `${world.requests} requests, ${world.landed.length} landed, ${commits} commits`
    const faults = `${wrong.length + redRequests.length} refused wrongly, ${redMains.length} red mains`
    world.progress(`day ${day} of ${days}: ${counts}; ${faults}`)
  }
}

// One for each of the five; some are of two people.
const STORIES_A_DAY = 5
