import { measureBurst, measureRandom } from './bursts.ts'
import { measureDay } from './long-day.ts'
import { measureRebase, measureSwitch } from './git-operations.ts'
import { measureGrowth } from './growth.ts'
import { measureKills } from './kills.ts'
import { measureLedger } from './ledger.ts'
import { type Effort, type Measure, type Row, rowTable } from './row.ts'
import { measureRemoval } from './removal.ts'
import { measureScale } from './scale.ts'
import { measureTorn } from './torn.ts'
import { measureLatency } from './watch-latency.ts'

/** What is measured of the daemon, by the word that asks for it alone. */
export const WATCH_ROWS: Readonly<Record<string, Measure>> = {
  scale: measureScale,
  latency: measureLatency,
  burst: measureBurst,
  growth: measureGrowth,
  removal: measureRemoval,
  random: measureRandom,
  switch: measureSwitch,
  rebase: measureRebase,
  torn: measureTorn,
  kill: measureKills,
  day: measureDay,
  ledger: measureLedger,
}

type WatchOptions = Effort & { readonly rows: readonly string[]; readonly isJson: boolean }

/** The daemon's table. A measurement that fails is a row that is not met, and the others go on. */
export async function benchWatch(print: (text: string) => void, wish: WatchOptions): Promise<void> {
  const rows: Row[] = []
  for (const [name, measure] of Object.entries(WATCH_ROWS)) {
    if (wish.rows.length > 0 && !wish.rows.includes(name)) continue
    process.stderr.write(`${name}\n`)
    const measured = await measure(wish).catch((thrown: unknown) => [failureRow(name, thrown)])
    // Whoever ends it here has these at least.
    process.stderr.write(`${rowTable(measured)}\n`)
    rows.push(...measured)
  }
  print(wish.isJson ? JSON.stringify({ backend: wish.backend, quick: wish.isQuick, rows }, null, 2) : rowTable(rows))
}

function failureRow(name: string, thrown: unknown): Row {
  process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`)
  return { measure: name, result: 'it could not be measured', goal: '', met: false }
}
