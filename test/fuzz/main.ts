import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { fuzzReader } from './fuzz-reader.ts'
import { makePlayground, type Shell, SHELLS } from './playground.ts'

const text = { type: 'string' } as const
const USAGE =
  '--seconds takes a number above 0, --lines a whole number of lines for each shell, --seed a whole number, ' +
  `--shell ${Object.keys(SHELLS).join(', ')} or all: npm run fuzz -- --lines 25000 --seed 7 --shell all`
const { values } = programOptions(USAGE, { options: { seconds: text, lines: text, seed: text, shell: text } })
const lines = values.lines === undefined ? null : Number(values.lines)
const seconds = Number(values.seconds ?? 120)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const shells = Object.keys(SHELLS).filter((it): it is Shell => [it, 'all'].includes(values.shell ?? 'bash'))

const areNumbers = Number.isInteger(seed) && (lines === null ? seconds > 0 : Number.isInteger(lines) && lines > 0)
if (!areNumbers || shells.length === 0) refuseOptions(USAGE)
// Each shell gets other lines.
for (const [n, shell] of shells.entries()) await run(shell, seed + n)

async function run(shell: Shell, ownSeed: number): Promise<void> {
  const extent = lines === null ? `${seconds} seconds` : `${lines} lines`
  process.stdout.write(`fuzz: seed ${ownSeed}, ${extent}, in ${shell}\n`)
  const until = performance.now() + seconds * 1000
  const more = (generated: number) => (lines === null ? performance.now() < until : generated < lines)
  await using playground = makePlayground(shell)
  const { generated, read, bypasses } = await fuzzReader(playground, { seed: ownSeed, more })
  const found = bypasses.map(it => `fuzz: changes ${it.changed.join(', ')}:\n${it.line.replace(/^/gm, '  ')}`)
  const counts = `fuzz: ${generated} lines, ${read} taken for reading and run, ${bypasses.length} changed a file.`
  const amount = lines === null ? `--seconds ${seconds}` : `--lines ${lines}`
  const again = `Again: npm run fuzz -- ${amount} --seed ${ownSeed} --shell ${shell}`
  process.stdout.write(`${[...found, counts, again].join('\n')}\n`)
  if (bypasses.length > 0) process.exitCode = 1
}
