import { pushAtOnce } from '../rig/clones-at-once.ts'
import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { runStandalone } from '../rig/standalone-run.ts'
import { runSoak } from './soak.ts'
import { stopInBursts } from './stops.ts'
import { playTeam } from './team.ts'
import { hasFailed, teamJson, teamLines } from './team-report.ts'
import type { Landing } from './team-world.ts'

const text = { type: 'string' } as const
const USAGE =
  '--seconds takes a number above 0, --seed a whole number, --without a pattern of operations, --clones and --stops ' +
  'a number of rounds of these alone: npm run soak -- --seconds 60 --seed 7\n' +
  'The word team plays the days of a team, --days N of them, whose requests land by --lands merge, squash, rebase or ' +
  'all, and --json prints one document: npm run soak -- team --days 10 --lands squash --seed 7'
const { values, positionals } = programOptions(USAGE, {
  allowPositionals: true,
  options: {
    ...{ seconds: text, seed: text, without: text, clones: text, stops: text },
    ...{ days: text, lands: text, json: { type: 'boolean' } },
  },
})
const seconds = Number(values.seconds ?? 300)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const without = values.without === undefined ? {} : { without: new RegExp(values.without) }
const again = `npm run soak -- --seed ${seed}${values.without === undefined ? '' : ` --without '${values.without}'`}`

const cloneRounds = Number(values.clones ?? 0)
const stops = Number(values.stops ?? 0)

const isTeam = positionals.join() === 'team'
const days = Number(values.days ?? 10)
const lands = (['all', 'merge', 'squash', 'rebase'] as const).find(it => it === (values.lands ?? 'all'))

if (isTeam && lands !== undefined && days >= 1 && Number.isInteger(seed)) await runStandalone(() => runTeam(lands))
else if (positionals.length > 0) refuseOptions(USAGE)
else if (cloneRounds > 0) await runStandalone(runClones)
else if (stops > 0 && Number.isInteger(seed)) await runStandalone(runStops)
else if (seconds > 0 && Number.isInteger(seed)) await runStandalone(run)
else refuseOptions(USAGE)

async function runClones(): Promise<void> {
  const from = performance.now()
  const wrong = await pushAtOnce({ rounds: cloneRounds })
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  const found = wrong.length === 0 ? 'every commit has its note on the server' : wrong.join('\n  ')
  process.stdout.write(`soak: four clones, ${cloneRounds} rounds, ${seconds} seconds: ${found}.\n`)
  if (wrong.length > 0) process.exitCode = 1
}

async function runStops(): Promise<void> {
  const { endMs, wrong } = await stopInBursts({ stops, seed })
  const [longest, late] = [Math.max(...endMs), endMs.filter(it => it > 1000).length]
  const found = wrong.length === 0 ? 'nothing was lost' : `\n  ${wrong.join('\n  ')}`
  process.stdout.write(
    `soak: seed ${seed}, ${stops} stops in bursts: ${found}.\n` +
      `soak: the longest end took ${longest.toFixed(0)} ms; ${late} took more than a second.\n`,
  )
  if (wrong.length > 0) process.exitCode = 1
}

async function runTeam(lands: Landing | 'all'): Promise<void> {
  const from = performance.now()
  const talk = values.json === true ? process.stderr : process.stdout
  const progress = (line: string) => talk.write(`soak: ${line}\n`)
  progress(`a team, seed ${seed}, ${days} days, landing by ${lands}`)
  const tally = await playTeam({ days, seed, lands, progress })
  progress(`the team's days took ${((performance.now() - from) / 1000).toFixed(0)} seconds.`)
  const answer = values.json === true ? JSON.stringify({ seed, days, lands, ...teamJson(tally) }) : undefined
  process.stdout.write(`${answer ?? teamLines(tally).join('\n')}\n`)
  progress(`Again: npm run soak -- team --days ${days} --lands ${lands} --seed ${seed}`)
  if (hasFailed(tally)) process.exitCode = 1
}

async function run(): Promise<void> {
  process.stdout.write(`soak: seed ${seed}, ${seconds} seconds\n`)
  let rounds = 0
  let until = Infinity
  const more = (round: number): boolean => {
    rounds = round
    // What comes before the first round does not count.
    if (round === 0) until = performance.now() + seconds * 1000
    return performance.now() < until
  }
  const counted = (rows: ReadonlyMap<string, number>): void => {
    const lines = [...rows].sort(([, a], [, b]) => b - a).map(([row, times]) => `  ${String(times).padStart(6)} ${row}`)
    process.stdout.write(`soak: rows that decided between git and a person:\n${lines.join('\n')}\n`)
  }
  const found = await runSoak({ seed, ...without, more, counted })
  if (!found) return void process.stdout.write(`soak: ${rounds} rounds, no difference.\n`)
  const { round, differences, operations, lives } = found
  const lines = [`soak: round ${round} differs from what was done:`, ...differences.map(it => `  ${it}`)]
  const story = [
    'What led to it, since the round before:',
    ...operations.map(it => `  ${it}`),
    'What stood there, and by which round:',
    ...lives.map(it => `  ${it}`),
    `Again: ${again}`,
  ]
  process.stdout.write(`${[...lines, ...story].join('\n')}\n`)
  process.exitCode = 1
}
