import { statSync } from 'node:fs'
import { join } from 'node:path'
import { treeOnDisk } from '../rig/tree.ts'
import { ledgerWrites } from '../rig/ledger-writes.ts'
import { compareTrees, duplicatesIn } from './compare-trees.ts'
import { operateRandomly, putFile } from './random-operations.ts'
import { type Measure, progress } from './row.ts'
import { createBenchRepo, ledgerText, startWatchedRepo } from './watched-repo.ts'

const FILE_COUNT = 5_000

/** Files that are written as fast as can be: half of them stand there, half are new, in new folders. */
export const measureBurst: Measure = async effort => {
  const pathOf = (n: number) => `bench/d${Math.floor(n / 20)}/f${n}.ts`
  const old = Array.from({ length: FILE_COUNT / 2 }, (_, n) => [pathOf(n), `old ${n}\n`])
  await using daemon = await startWatchedRepo(await createBenchRepo(Object.fromEntries(old), effort))
  const { root } = daemon.repo
  const base = treeOnDisk(root)
  progress(`${FILE_COUNT} files at once`)
  for (let n = 0; n < FILE_COUNT; n++) putFile(root, pathOf(n), `new ${n}\nline\n`)
  const lastAt = Date.now()
  await daemon.flush()
  const seconds = (statSync(join(root, '.orchestration/agent_trace.jsonl')).mtimeMs - lastAt) / 1000
  const written = ledgerWrites(ledgerText(daemon.repo))
  const { lost, ghosts } = compareTrees(base, written, treeOnDisk(root))
  const twice = duplicatesIn(written)
  const found = `${written.length} recorded, ${lost} lost, ${twice} duplicates`
  const late = `${written.filter(it => it.source === 'reconcile').length} by reconciliation`
  const row = {
    measure: `${FILE_COUNT} files in a tight loop`,
    result: `${found}, the last after ${seconds.toFixed(1)} s (${late})`,
    goal: `${FILE_COUNT} recorded, 0 lost, 0 duplicates`,
    met: written.length === FILE_COUNT && lost + ghosts + twice === 0,
  }
  return [row]
}

const SEEDS = 8
const OPERATION_COUNT = 2_500

/** Random operations, almost without a pause; what is recorded in the end is held against the disk. */
export const measureRandom: Measure = async effort => {
  const sum = { lost: 0, ghosts: 0, twice: 0, late: 0 }
  const seeds = effort.isQuick ? 2 : SEEDS
  const paths = Array.from({ length: 400 }, (_, n) => `bench/d${n % 20}/f${n}.ts`)
  for (let seed = 1; seed <= seeds; seed++) {
    progress(`${OPERATION_COUNT} random operations, seed ${seed} of ${seeds}`)
    const files = Object.fromEntries(paths.map(it => [it, `old ${it}\n`]))
    await using daemon = await startWatchedRepo(await createBenchRepo(files, effort))
    const base = treeOnDisk(daemon.repo.root)
    await operateRandomly({ root: daemon.repo.root, seed, paths: [...paths] }, OPERATION_COUNT)
    await daemon.flush()
    const written = ledgerWrites(ledgerText(daemon.repo))
    const { lost, ghosts } = compareTrees(base, written, treeOnDisk(daemon.repo.root))
    sum.lost += lost
    sum.ghosts += ghosts
    sum.twice += duplicatesIn(written)
    sum.late += written.filter(it => it.source === 'reconcile').length
  }
  const result = `${sum.lost} lost, ${sum.ghosts} ghosts, ${sum.twice} duplicates (${sum.late} by reconciliation)`
  const measure = `${OPERATION_COUNT} random operations, ${seeds} seeds${seeds < SEEDS ? ` of ${SEEDS}` : ''}`
  return [{ measure, result, goal: '0 lost, 0 ghosts', met: sum.lost + sum.ghosts === 0 }]
}
