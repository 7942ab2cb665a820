import { statSync } from 'node:fs'
import { join } from 'node:path'
import { treeOnDisk } from '../rig/tree.ts'
import { writtenIn } from '../rig/written.ts'
import { comparison, duplicatesIn } from './comparison.ts'
import { operateAt, put } from './random-operations.ts'
import { type Measure, progress } from './row.ts'
import { governed, ledgerText, watched } from './watched.ts'

const FILES = 5_000

/** Files that are written as fast as can be: half of them stand there, half are new, in new folders. */
export const measureBurst: Measure = async effort => {
  const pathOf = (n: number) => `bench/d${Math.floor(n / 20)}/f${n}.ts`
  const old = Array.from({ length: FILES / 2 }, (_, n) => [pathOf(n), `old ${n}\n`])
  await using daemon = await watched(await governed(Object.fromEntries(old), effort))
  const { root } = daemon.repo
  const base = treeOnDisk(root)
  progress(`${FILES} files at once`)
  for (let n = 0; n < FILES; n++) put(root, pathOf(n), `new ${n}\nline\n`)
  const lastAt = Date.now()
  await daemon.flush()
  const seconds = (statSync(join(root, '.orchestration/agent_trace.jsonl')).mtimeMs - lastAt) / 1000
  const written = writtenIn(ledgerText(daemon.repo))
  const { lost, ghosts } = comparison(base, written, treeOnDisk(root))
  const twice = duplicatesIn(written)
  const found = `${written.length} recorded, ${lost} lost, ${twice} duplicates`
  const late = `${written.filter(it => it.source === 'reconcile').length} by reconciliation`
  const row = {
    measure: `${FILES} files in a tight loop`,
    result: `${found}, the last after ${seconds.toFixed(1)} s (${late})`,
    goal: `${FILES} recorded, 0 lost, 0 duplicates`,
    met: written.length === FILES && lost + ghosts + twice === 0,
  }
  return [row]
}

const SEEDS = 8
const OPERATIONS = 2_500

/** Random operations, almost without a pause; what is recorded in the end is held against the disk. */
export const measureRandom: Measure = async effort => {
  const sum = { lost: 0, ghosts: 0, twice: 0, late: 0 }
  const seeds = effort.isQuick ? 2 : SEEDS
  const paths = Array.from({ length: 400 }, (_, n) => `bench/d${n % 20}/f${n}.ts`)
  for (let seed = 1; seed <= seeds; seed++) {
    progress(`${OPERATIONS} random operations, seed ${seed} of ${seeds}`)
    const files = Object.fromEntries(paths.map(it => [it, `old ${it}\n`]))
    await using daemon = await watched(await governed(files, effort))
    const base = treeOnDisk(daemon.repo.root)
    await operateAt({ root: daemon.repo.root, seed, paths: [...paths] }, OPERATIONS)
    await daemon.flush()
    const written = writtenIn(ledgerText(daemon.repo))
    const { lost, ghosts } = comparison(base, written, treeOnDisk(daemon.repo.root))
    sum.lost += lost
    sum.ghosts += ghosts
    sum.twice += duplicatesIn(written)
    sum.late += written.filter(it => it.source === 'reconcile').length
  }
  const result = `${sum.lost} lost, ${sum.ghosts} ghosts, ${sum.twice} duplicates (${sum.late} by reconciliation)`
  const measure = `${OPERATIONS} random operations, ${seeds} seeds${seeds < SEEDS ? ` of ${SEEDS}` : ''}`
  return [{ measure, result, goal: '0 lost, 0 ghosts', met: sum.lost + sum.ghosts === 0 }]
}
