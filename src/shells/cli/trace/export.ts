import { catchUpLedger } from '../../../world/commits/judge-new-commits.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { recordsToCsv } from '../../../core/ledger/csv.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'
import { recordFilterIn } from './record-filter-in.ts'
import { progressInTenths, warnIncomplete } from './record-options.ts'

const EXPORT_FORMATS = ['agent-trace', 'csv']

/** `kotef trace export`: prints the write records of the ledger in a format for other programs. */
export const run: RunVerb = async call => {
  const format = String(call.options['format'])
  if (!EXPORT_FORMATS.includes(format))
    throw new KotefError('usage', `--format is one of ${EXPORT_FORMATS.join(', ')}, not ${format}`)
  const workspace = await openWorkspace(call.cwd)
  const wanted = await recordFilterIn(workspace, call)
  const { behind } = await catchUpLedger(workspace)
  const { records, problems } = await queryLedger(workspace, { wanted, limit: null, progress: progressInTenths(call) })
  warnIncomplete({ problems, behind }, call)
  const written = records.filter(it => it.files.length > 0)
  const text = format === 'csv' ? recordsToCsv(records) : written.map(it => JSON.stringify(it)).join('\n')
  return { text, json: written }
}
