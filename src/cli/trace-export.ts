import { toCsv } from '../ledger/csv.ts'
import { KotefError } from '../report/failure.ts'
import { askLedger } from '../workspace/ask-ledger.ts'
import { catchUp } from '../workspace/catch-up.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { inTenths, wantedBy, warn } from './trace.ts'
import type { Run } from './verb.ts'

const FORMATS = ['agent-trace', 'csv']

/** `kotef trace export`: what was written, by whom and for which intent, as other programs read it. */
export const run: Run = async call => {
  const format = String(call.options['format'])
  if (!FORMATS.includes(format))
    throw new KotefError('usage', `--format is one of ${FORMATS.join(', ')}, not ${format}`)
  const workspace = await openWorkspace(call.cwd)
  const wanted = wantedBy(call.options)
  const { behind } = await catchUp(workspace)
  const { records, problems } = await askLedger(workspace, { wanted, limit: null, progress: inTenths(call) })
  warn({ problems, behind }, call)
  const written = records.filter(it => it.files.length > 0)
  const text = format === 'csv' ? toCsv(written) : written.map(it => JSON.stringify(it)).join('\n')
  return { text, json: written }
}
