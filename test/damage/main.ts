import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { runStandalone } from '../rig/standalone-run.ts'
import { damageFiles, damagePayloads, type Tally } from './damage.ts'

const text = { type: 'string' } as const
const USAGE =
  '--rounds takes a whole number of mutations of each file, --seed a whole number, --only a part of a file name, ' +
  'or `payload`: npm run damage -- --rounds 500 --seed 7 --only registry'
const { values } = programOptions(USAGE, { options: { rounds: text, seed: text, only: text } })
const [rounds, seed] = [Number(values.rounds ?? 20), Number(values.seed ?? Date.now() % 1_000_000)]
const only = values.only ?? ''

if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) refuseOptions(USAGE)
// A session would start a daemon, whose records are no part of this.
process.env['KOTEF_AUTOSTART'] = '0'
await runStandalone(run)

async function run(): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  print(`damage: seed ${seed}, ${rounds} mutations of each file`)
  const terms = { rounds, seed, only }
  let found = 0
  for await (const it of 'payload'.includes(only) ? damagePayloads(terms) : []) found += report(it)
  for await (const it of damageFiles(terms)) found += report(it)
  const again = `Again: npm run damage -- --rounds ${rounds} --seed ${seed}${only === '' ? '' : ` --only '${only}'`}`
  print(`damage: ${found} wrong. ${again}`)
  if (found > 0) process.exitCode = 1

  function report({ name, mutations, reported, wrong, slowestMs }: Tally): number {
    print(`${name}: ${mutations} mutations, ${reported} told of, ${wrong.length} wrong, slowest ${slowestMs} ms`)
    for (const it of wrong) print(`  ${it}`)
    return wrong.length
  }
}
