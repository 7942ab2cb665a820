import { printable } from '../report/printable.ts'
import { tallyOf } from '../provenance/tally.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { bringUpToDate } from './blame.ts'
import { wantedBy } from './trace.ts'
import type { Run } from './verb.ts'

/** `kotef stats`: how many lines were added, by intent, kind of author and model. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { since } = wantedBy(call.options)
  await bringUpToDate(workspace, call)
  const tally = await tallyOf(workspace, since ?? null)
  const { commits, noted, lines, intents, types, models } = tally
  const unnoted = noted === commits ? '' : `; ${commits - noted} of them change no line, or are older than kotef here`
  const text = [
    `${lines} lines added by ${commits} commits${unnoted}`,
    ...table('intent', intents, lines),
    ...table('author', types, lines),
    ...table('model', models, lines),
  ]
  return { text: text.join('\n'), json: tally }
}

function table(label: string, counts: Readonly<Record<string, number>>, all: number): string[] {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return rows.map(([name, count]) => {
    const share = `${((count / all) * 100).toFixed(1)} %`
    return `  ${label.padEnd(7)} ${printable(name).padEnd(28)} ${String(count).padStart(9)}  ${share.padStart(7)}`
  })
}
