import { programOptions, refuseOptions } from '../rig/program-options.ts'
import { runStandalone } from '../rig/standalone-run.ts'
import { benchAgentHook } from './agent-hook.ts'
import { benchHistory } from './history.ts'
import { benchHooks } from './hooks.ts'
import { benchLsp } from './lsp.ts'
import { benchMeaning } from './meaning.ts'
import { benchRuns } from './runs.ts'
import { benchUi } from './ui.ts'
import { benchWatch, WATCH_ROWS } from './watch.ts'

const BENCHES = ['hooks', 'watch', 'history', 'handshake', 'runs', 'meaning', 'lsp', 'ui']
const flag = { type: 'boolean', default: false } as const

const USAGE =
  `The benches are ${BENCHES.join(', ')}, and of watch ${Object.keys(WATCH_ROWS).join(', ')}; ` +
  '--quick, --json and --backend NAME go with them: npm run bench -- watch torn kill'
const { positionals, values } = programOptions(USAGE, {
  allowPositionals: true,
  options: { quick: flag, json: flag, backend: { type: 'string' } },
})
const unknown = positionals.filter(it => !BENCHES.includes(it) && !Object.hasOwn(WATCH_ROWS, it))
if (unknown.length > 0) refuseOptions(`There is no bench ${unknown.join(', ')}. ${USAGE}`)
await runStandalone(run)

async function run(): Promise<void> {
  const print = (text: string): void => void process.stdout.write(`${text}\n`)
  const rows = positionals.filter(it => !BENCHES.includes(it))
  const isAsked = (name: string): boolean => positionals.length === 0 || positionals.includes(name)
  const { quick: isQuick, json: isJson, backend = null } = values
  if (isAsked('hooks')) await benchHooks(print)
  if (isAsked('history')) await benchHistory(print, { isQuick, isJson })
  if (isAsked('handshake')) await benchAgentHook(print, { isQuick, isJson })
  if (isAsked('runs')) await benchRuns(print, { isQuick, isJson })
  if (isAsked('meaning')) await benchMeaning(print, { isQuick, isJson })
  if (isAsked('lsp')) await benchLsp(print, { isQuick, isJson })
  if (isAsked('ui')) await benchUi(print, { isQuick, isJson })
  if (isAsked('watch') || rows.length > 0) await benchWatch(print, { rows, isQuick, isJson, backend })
}
