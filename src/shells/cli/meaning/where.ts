import { PLACES_SHOWN, whereIs } from '../../../world/code/code-map/find-places.ts'
import { placeLines } from '../../../core/report/map-lines.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { historyProgress } from '../history-progress.ts'
import { parseWholeNumber, type RunVerb } from '../verb.ts'

/** `kotef where`: the intents, declarations, files and lessons at HEAD that some words are about. */
export const run: RunVerb = async call => {
  const { args, options } = call
  const words = (args[0] as readonly string[]).join(' ')
  const limit = options['limit'] === undefined ? PLACES_SHOWN : parseWholeNumber(options['limit'], '--limit')
  const workspace = await openWorkspace(call.cwd)
  const progress = historyProgress(call, workspace.clock)
  const places = await whereIs(workspace, { question: words, limit, progress })
  const text = places.length === 0 ? NOTHING_FOUND : placeLines(places).join('\n')
  return { text, json: { places } }
}

const NOTHING_FOUND = 'Nothing at HEAD has these words in its name, path, intent or lesson.'
