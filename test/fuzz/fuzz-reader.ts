import { readShell } from '../../src/core/agents/gate/shell/read-shell.ts'
import { randomFrom } from '../rig/random.ts'
import { generateLine } from './grammar.ts'
import type { Playground } from './playground.ts'

/** A line that the gate takes for reading, and the files that it changed. */
type Bypass = { readonly line: string; readonly changed: readonly string[] }

/** What a run of the fuzzer did. */
export type FuzzResult = { readonly generated: number; readonly read: number; readonly bypasses: readonly Bypass[] }

/** Generates lines from a seed while `more` holds, and runs those that the gate takes for reading. */
export async function fuzzReader(
  playground: Playground,
  { seed, more }: { seed: number; more: (generated: number) => boolean },
): Promise<FuzzResult> {
  const random = randomFrom(seed)
  const bypasses: Bypass[] = []
  let [generated, read] = [0, 0]
  while (more(generated)) {
    const batch = Array.from({ length: BATCH_LINES }, () => generateLine(random))
    const reading = batch.filter(it => readShell(it).kind === 'read')
    bypasses.push(...(await bypassesAmong(playground, reading)))
    generated += batch.length
    read += reading.length
  }
  return { generated, read, bypasses }
}

const BATCH_LINES = 200

/** Runs all the lines; when a file changed, the halves by themselves, down to the lines that do it. */
async function bypassesAmong(playground: Playground, lines: readonly string[]): Promise<Bypass[]> {
  if (lines.length === 0) return []
  await playground.run(lines)
  const changed = playground.changes()
  if (changed.length === 0) return []
  const [line] = lines
  if (lines.length === 1 && line !== undefined) return [{ line, changed }]
  const middle = Math.ceil(lines.length / 2)
  const first = await bypassesAmong(playground, lines.slice(0, middle))
  return [...first, ...(await bypassesAmong(playground, lines.slice(middle)))]
}
