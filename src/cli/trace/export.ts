import { catchUpLedger } from '../../commits/judge-new-commits.ts'
import { KotefError } from '../../findings/failure.ts'
import { recordsToCsv } from '../../ledger/csv.ts'
import { queryLedger } from '../../ledger-store/query-ledger.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import type { RunVerb } from '../verb.ts'
import { progressInTenths, recordFilterIn, warnIncomplete } from './record-options.ts'

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
