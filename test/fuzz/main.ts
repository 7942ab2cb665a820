import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { fuzzReader } from './fuzz-reader.ts'
import { makePlayground, type Shell } from './playground.ts'

const text = { type: 'string' } as const
const USAGE =
  '--seconds takes a number above 0, --seed a whole number, --shell bash, dash or zsh: ' +
  'npm run fuzz -- --seconds 60 --seed 7 --shell zsh'
const { values } = programOptions(USAGE, { options: { seconds: text, seed: text, shell: text } })
const seconds = Number(values.seconds ?? 120)
const shell = values.shell ?? 'bash'
const seed = Number(values.seed ?? Date.now() % 1_000_000)

if (seconds > 0 && Number.isInteger(seed) && isShell(shell)) await run(shell)
else refuseOptions(USAGE)

function isShell(name: string): name is Shell {
  return /^(?:bash|dash|zsh)$/.test(name)
}

async function run(shellName: Shell): Promise<void> {
  process.stdout.write(`fuzz: seed ${seed}, ${seconds} seconds, in ${shellName}\n`)
  const until = performance.now() + seconds * 1000
  await using playground = makePlayground(shellName)
  const { generated, read, bypasses } = await fuzzReader(playground, { seed, more: () => performance.now() < until })
  const lines = bypasses.map(it => `fuzz: changes ${it.changed.join(', ')}:\n${it.line.replace(/^/gm, '  ')}`)
  const counts = `fuzz: ${generated} lines, ${read} taken for reading and run, ${bypasses.length} changed a file.`
  process.stdout.write(
    `${[...lines, counts, `Again: npm run fuzz -- --seed ${seed} --shell ${shellName}`].join('\n')}\n`,
  )
  if (bypasses.length > 0) process.exitCode = 1
}
