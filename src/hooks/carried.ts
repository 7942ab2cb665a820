import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PolicyIntent } from '../scope/policy.ts'
import { trailersAnywhere, uncommented, unindented } from '../trailers/combined.ts'
import { valuesOf } from '../trailers/read.ts'
import { isRebasing, type Place } from './place.ts'

type Known = { readonly comment: string; readonly intents: readonly Pick<PolicyIntent, 'id'>[] }

/**
 * The intents that the commits cite which git puts together into one: by a squash or fixup of a rebase, or by
 * `git merge --squash`. An id that the registry does not have is left behind, for nothing could be committed for it.
 */
export function carriedIntents(place: Place, { comment, intents }: Known): string[] {
  // A fixup's message is among them as a comment, since git drops it.
  const parts = isSquashing(place)
    ? uncommented(textOf(place, SQUASHED), comment)
    : unindented(isRebasing(place) ? '' : textOf(place, 'SQUASH_MSG'))
  const ids = valuesOf(trailersAnywhere(parts), 'Intent-ID')
  return [...new Set(ids)].filter(id => intents.some(it => it.id === id))
}

/** True while a rebase puts several commits together. */
export function isSquashing({ gitDir }: Pick<Place, 'gitDir'>): boolean {
  return existsSync(join(gitDir, SQUASHED))
}

const SQUASHED = 'rebase-merge/message-squash'

function textOf({ gitDir }: Pick<Place, 'gitDir'>, name: string): string {
  try {
    return readFileSync(join(gitDir, name), 'latin1')
  } catch {
    return ''
  }
}
