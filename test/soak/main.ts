import { pushAtOnce } from '../rig/clones-at-once.ts'
import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { runStandalone } from '../rig/standalone-run.ts'
import { runSoak } from './soak.ts'
import { stopInBursts } from './stops.ts'

const text = { type: 'string' } as const
const USAGE =
  '--seconds takes a number above 0, --seed a whole number, --without a pattern of operations, --clones and --stops ' +
  'a number of rounds of these alone: npm run soak -- --seconds 60 --seed 7'
const { values } = programOptions(USAGE, {
  options: { seconds: text, seed: text, without: text, clones: text, stops: text },
})
const seconds = Number(values.seconds ?? 300)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const without = values.without === undefined ? {} : { without: new RegExp(values.without) }
const again = `npm run soak -- --seed ${seed}${values.without === undefined ? '' : ` --without '${values.without}'`}`

const cloneRounds = Number(values.clones ?? 0)
const stops = Number(values.stops ?? 0)

if (cloneRounds > 0) await runStandalone(runClones)
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
