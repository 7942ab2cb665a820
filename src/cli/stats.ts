import { plural, printable } from '../text/printable.ts'
import { countLineStats } from '../provenance/line-stats.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { updateNotes } from '../provenance/annotate-commits.ts'
import { recordFilterIn } from './trace/record-options.ts'
import type { RunVerb } from './verb.ts'

/** `kotef stats`: how many lines were added, by intent, kind of author and model. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { since } = recordFilterIn(call.options)
  await updateNotes(workspace, call)
  const tally = await countLineStats(workspace, since ?? null)
  const { commits, noted, lines, intents, types, models } = tally
  const unnoted =
    noted === commits ? '' : `; ${commits - noted} of them change no line, or were made before kotef was set up`
  const text = [
    `${plural(lines, 'line')} added by ${plural(commits, 'commit')}${unnoted}`,
    ...shareTable('intent', intents, lines),
    ...shareTable('author', types, lines),
    ...shareTable('model', models, lines),
  ]
  return { text: text.join('\n'), json: tally }
}

function shareTable(label: string, counts: Readonly<Record<string, number>>, all: number): string[] {
  const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return rows.map(([name, count]) => {
    const share = `${((count / all) * 100).toFixed(1)} %`
    return `  ${label.padEnd(7)} ${printable(name).padEnd(28)} ${String(count).padStart(9)}  ${share.padStart(7)}`
  })
}
