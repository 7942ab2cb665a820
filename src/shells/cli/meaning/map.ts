import { mapOfHead } from '../../../world/code/code-map/code-index.ts'
import { updateMapFile } from '../../../world/code/code-map/map-file.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { INTENT_MAP_PATH } from '../../../core/base/governance-files.ts'
import { mapJson, mapLines } from '../../../core/report/map-lines.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { historyProgress } from '../history-progress.ts'
import { firstArgument, type RunVerb } from '../verb.ts'

/**
 * `kotef map`: the files and declarations of each intent at HEAD. Of all intents, or with --write, it brings the block
 * of the map's file up to date; a question about one changes no file.
 */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const whole = await mapOfHead(workspace, historyProgress(call, workspace.clock))
  const wanted = firstArgument(call)
  if (wanted === '' || call.options['write'] === true) {
    const { obstacle, isWritten } = await updateMapFile(workspace, whole)
    if (obstacle !== null) call.notify(`${INTENT_MAP_PATH} is not up to date: ${obstacle}.`)
    if (isWritten) call.notify(`${INTENT_MAP_PATH} was brought up to date.`)
  }
  const entries = whole.entries.filter(it => wanted === '' || it.intent === wanted)
  if (entries.length === 0 && wanted !== '' && !whole.names.has(wanted))
    throw new KotefError('unknown-intent', `There is no intent ${wanted}, and no commit of HEAD cites it.`)
  const shown = { ...whole, entries }
  const text = entries.length === 0 ? NO_ENTRIES : mapLines(shown).join('\n')
  return { text, json: mapJson(shown), forReading: 'list' }
}

const NO_ENTRIES = 'No line of HEAD is from a commit that cites an intent.'
