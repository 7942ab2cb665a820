import { setTimeout as delay } from 'node:timers/promises'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from '../rig/repo.ts'
import { type Random, randomFrom } from '../rig/random.ts'
import { treeOnDisk } from '../rig/tree.ts'
import { chainFaults, recordIds, ledgerWrites } from '../rig/ledger-writes.ts'
import { compareTrees } from './compare-trees.ts'
import { putFile } from './random-operations.ts'
import { type Measure, progress } from './row.ts'
import { flushLedger, createBenchRepo, ledgerText, startBenchDaemon } from './watched-repo.ts'

const KILLS = 50
const MOMENT_MS_MAX = 600

/** A daemon that is killed at any moment, its start included, while files are written without end. */
export const measureKills: Measure = async effort => {
  const files = Array.from({ length: 100 }, (_, n) => [`bench/f${n}.ts`, `old ${n}\n`])
  await using repo = await createBenchRepo(Object.fromEntries(files), effort)
  const base = treeOnDisk(repo.root)
  const random = randomFrom(11)
  const acknowledged = new Set<string>()
  const load = startWriteLoad(repo, random)
  const kills = effort.isQuick ? 15 : KILLS
  for (let n = 0; n < kills; n++) {
    progress(`kill ${n + 1} of ${kills}`)
    const moment = { starting: n % 4 === 0, afterMs: random.below(MOMENT_MS_MAX) }
    for (const id of await startAndKill(repo, moment)) acknowledged.add(id)
  }
  await load.stop()
  await using _daemon = await startBenchDaemon(repo)
  await flushLedger(await openWorkspace(repo.root))
  const text = ledgerText(repo)
  const reported = recordIds(text)
  const missing = [...acknowledged].filter(it => !reported.has(it)).length
  const faults = chainFaults(text).length
  const { lost, ghosts } = compareTrees(base, ledgerWrites(text), treeOnDisk(repo.root))
  const result = `${missing} of ${acknowledged.size} acknowledged lines lost, ${faults} faults in the chain`
  const row = {
    measure: `kill -9 at ${kills} random moments${kills < KILLS ? ` of ${KILLS}` : ''}`,
    result: `${result}, ${lost + ghosts} files not as recorded`,
    goal: '0 lost, the chain verifies, the end is recorded',
    met: acknowledged.size > 0 && missing + faults + lost + ghosts === 0,
  }
  return [row]
}

/** The ids of the records that a daemon told of before it was killed. */
async function startAndKill(repo: Repo, { starting, afterMs }: KillMoment): Promise<string[]> {
  await using daemon = repo.start('kotef-watch', ['--json'])
  if (!starting) await daemon.line(RECORD)
  await delay(afterMs)
  daemon.signal('SIGKILL')
  await daemon.ended
  return daemon.lines.flatMap(it => RECORD.exec(it)?.[1] ?? [])
}

const RECORD = /"id":"([^"]+)"/

/** A while after the start of a daemon, or after the first record that it tells of. */
type KillMoment = { readonly starting: boolean; readonly afterMs: number }

function startWriteLoad({ root }: Repo, random: Random): { stop(): Promise<void> } {
  const over = new AbortController()
  const work = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      putFile(root, `bench/f${random.below(200)}.ts`, `write ${n}\n`.repeat(1 + random.below(30)))
      if (n % 5 === 0) await delay(4)
    }
  })()
  return { stop: () => (over.abort(), work) }
}
