import type { Repo } from '../rig/repo.ts'
import { type LspClient, startLsp } from '../rig/lsp-client.ts'
import { type Row, progress, rowTable } from './row.ts'
import { quantile } from './statistics.ts'
import { createBenchRepo } from './watched-repo.ts'

const DIAGNOSTIC_MS_MAX = 100
const HOVER_MS_MAX = 20
const LINES = 5_000
const LONG = 'bench/long.txt'
const OUTSIDE = 'elsewhere/x.txt'

/** How fast `kotef lsp` answers once it is warm: diagnostics after an edit and after a change of the policy, hovers. */
export async function benchLsp(
  print: (text: string) => void,
  { isQuick, isJson }: { isQuick: boolean; isJson: boolean },
) {
  const text = Array.from({ length: LINES }, (_, n) => `line ${n}\n`).join('')
  await using repo = await createBenchRepo({ [LONG]: text }, { isQuick, backend: null })
  await repo.kotef('intent', 'start', 'BENCH-1')
  await using editor = await startLsp(repo)
  await editor.open(OUTSIDE, 'x\n')
  await editor.open(LONG, text)
  await editor.diagnostics(OUTSIDE, it => it.length > 0)
  await editor.hover(LONG, 1)
  const rounds = isQuick ? 20 : 200
  const rows = [
    await measureEdits(editor, rounds),
    await measurePolicy(repo, editor, rounds / 4),
    await measureHovers(editor, { text, rounds }),
  ]
  print(isJson ? JSON.stringify({ quick: isQuick, rows }, null, 2) : rowTable(rows))
}

// The first line grows with each edit, so that there is something to publish.
async function measureEdits(editor: LspClient, rounds: number): Promise<Row> {
  progress('diagnostics after an edit')
  const times: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const from = performance.now()
    await editor.change(OUTSIDE, `${'x'.repeat(round + 1)}\n`)
    await editor.diagnostics(OUTSIDE, ([first]) => first?.range.end.character === round + 1)
    times.push(performance.now() - from)
  }
  return row('diagnostics after an edit', times, { share: 0.95, msMax: DIAGNOSTIC_MS_MAX })
}

async function measurePolicy(repo: Repo, editor: LspClient, rounds: number): Promise<Row> {
  progress('diagnostics after a change of the policy')
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isIgnored = round % 2 === 0
    const from = performance.now()
    await repo.write('.intentignore', isIgnored ? 'bench/**\n' : '\n')
    await editor.diagnostics(LONG, it => it.length > 0 === isIgnored)
    times.push(performance.now() - from)
  }
  return row('diagnostics after a change of the policy', times, { share: 0.95, msMax: DIAGNOSTIC_MS_MAX })
}

async function measureHovers(editor: LspClient, { text, rounds }: { text: string; rounds: number }): Promise<Row> {
  progress(`hovers over a file of ${LINES} lines`)
  await editor.change(LONG, `one line more\n${text}`)
  await editor.hover(LONG, 2)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    await editor.hover(LONG, 2 + ((round * 31) % LINES))
    times.push(performance.now() - from)
  }
  return row(`hover over a file of ${LINES} lines`, times, { share: 0.5, msMax: HOVER_MS_MAX })
}

type Goal = { readonly share: number; readonly msMax: number }

function row(measure: string, times: readonly number[], { share, msMax }: Goal): Row {
  const at = (it: number) => quantile(times, it).toFixed(1)
  const result = `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`
  return { measure, result, goal: `p${share * 100} at most ${msMax} ms`, met: quantile(times, share) <= msMax }
}
