import { PLACES_SHOWN, whereIs } from '../../../world/code/code-map/find-places.ts'
import { placeLines } from '../../../core/report/map-lines.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { parseWholeNumber, type RunVerb } from '../verb.ts'

/** `kotef where`: the intents, declarations, files and lessons at HEAD that some words are about. */
export const run: RunVerb = async ({ cwd, args, options }) => {
  const words = (args[0] as readonly string[]).join(' ')
  const limit = options['limit'] === undefined ? PLACES_SHOWN : parseWholeNumber(options['limit'], '--limit')
  const places = await whereIs(await openWorkspace(cwd), words, limit)
  const text = places.length === 0 ? NOTHING_FOUND : placeLines(places).join('\n')
  return { text, json: { places } }
}

const NOTHING_FOUND = 'Nothing at HEAD has these words in its name, path, intent or lesson.'
