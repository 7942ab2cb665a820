import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { madeFrom } from '../trailers/made-from.ts'
import { askPolicy } from './ask-policy.ts'
import { commitsAtHand, type Place } from './place.ts'

/** The intents that the commits cite which this one is made from: picked, reverted or squashed ones. */
export function inheritedIntents(place: Place, message = ''): string[] {
  const prepared = ['MERGE_MSG', 'SQUASH_MSG'].map(it => textOf(join(place.gitDir, it)))
  const sources = new Set([...commitsAtHand(place), ...[message, ...prepared].flatMap(it => madeFrom(it))])
  if (sources.size === 0) return []
  return askPolicy<{ intents: string[] }>(place, ['inherited', ...sources]).intents
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'latin1') : ''
}
