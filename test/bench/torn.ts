import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomFrom } from '../rig/random.ts'
import { oidOf, treeOnDisk } from '../rig/tree.ts'
import { ledgerWrites } from '../rig/ledger-writes.ts'
import { compareTrees } from './compare-trees.ts'
import { type Measure, progress } from './row.ts'
import { createBenchRepo, ledgerText, startWatchedRepo } from './watched-repo.ts'

const WRITES = 500
const FILES = 20
const LEAST_BYTES = 4_096
const DOUBLINGS = 9

/** Files of 4 KB to 2 MB that are emptied and written piece by piece; nothing but the whole may be recorded. */
export const measureTorn: Measure = async effort => {
  const random = randomFrom(7)
  const files = Array.from({ length: FILES }, (_, n) => [`bench/f${n}.txt`, `old ${n}\n`])
  await using daemon = await startWatchedRepo(await createBenchRepo(Object.fromEntries(files), effort))
  const base = treeOnDisk(daemon.repo.root)
  const whole = new Set<string>()
  for (let n = 0; n < WRITES; n++) {
    if (n % 100 === 0) progress(`torn reads, write ${n} of ${WRITES}`)
    const bytes = randomBytes(n, random)
    whole.add(oidOf(bytes))
    await writeInPieces(join(daemon.repo.root, `bench/f${n % FILES}.txt`), bytes, random)
    await delay(random.below(60))
  }
  await daemon.flush()
  const written = ledgerWrites(ledgerText(daemon.repo))
  const torn = written.filter(it => it.after === null || !whole.has(it.after)).length
  const { lost } = compareTrees(base, written, treeOnDisk(daemon.repo.root))
  const result = `${torn} torn, ${lost} lost (${written.length} recorded)`
  return [{ measure: `torn reads over ${WRITES} non-atomic writes`, result, goal: '0', met: torn + lost === 0 }]
}

function randomBytes(n: number, random: Random): Buffer {
  const bytes = LEAST_BYTES * 2 ** random.below(DOUBLINGS + 1)
  const line = `line of write ${n}, ${bytes} bytes\n`
  return Buffer.from(line.repeat(Math.ceil(bytes / line.length)))
}

// The writer is never done within one call, and rests once for a moment, shorter than the settle time.
async function writeInPieces(path: string, bytes: Buffer, random: Random): Promise<void> {
  await using file = await open(path, 'w')
  const piece = Math.min(65_536, Math.ceil(bytes.length / 2))
  const rest = random.below(Math.ceil(bytes.length / piece))
  for (let from = 0; from < bytes.length; from += piece) {
    if (from === rest * piece) await delay(random.below(8))
    await file.write(bytes, from, Math.min(piece, bytes.length - from))
  }
}
