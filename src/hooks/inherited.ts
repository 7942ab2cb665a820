import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Inherited } from '../rules/facts.ts'
import { madeFrom } from '../trailers/made-from.ts'
import { askPolicy } from './ask-policy.ts'
import { commitsAtHand, type Place } from './place.ts'

/** The work of the commits that this one is made from: picked, reverted or squashed ones. */
export function inheritedWork(place: Place, message = ''): Inherited[] {
  const prepared = ['MERGE_MSG', 'SQUASH_MSG'].map(it => textOf(join(place.gitDir, it)))
  const sources = new Set([...commitsAtHand(place), ...[message, ...prepared].flatMap(it => madeFrom(it))])
  if (sources.size === 0) return []
  return askPolicy<{ works: Inherited[] }>(place, ['inherited', ...sources]).works
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'latin1') : ''
}
