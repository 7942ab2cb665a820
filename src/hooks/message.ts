import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanedMessage, type Cleaning, isEmptyToGit, isUntouched } from '../trailers/clean.ts'
import { type Trailer, trailersOf, valuesOf } from '../trailers/read.ts'
import {
  cleaningOf,
  knowsCommentString,
  type MessageSettings,
  messageSettings,
  olderMessageSettings,
} from '../trailers/settings.ts'
import { withTrailer } from '../trailers/write.ts'
import { type Place, tryAsk } from './place.ts'

/** A message file and what git will make of it. Bytes are latin1 characters, so that any encoding survives. */
export type Message = {
  readonly file: string
  readonly text: string
  readonly how: Cleaning
  /** True when git is about to refuse it: it is empty, or nothing but its template. */
  readonly isEmpty: boolean
  /** True when an editor was left without a word in it, whatever git makes of its own comments. */
  readonly isBlank: boolean
  readonly trailers: readonly Trailer[]
}

/** Reads a message file as it is when a hook is given it. */
export function readMessage(place: Pick<Place, 'compiled' | 'edited'>, file: string): Message {
  const text = readFileSync(file, 'latin1')
  const how = cleaningOf(text, { ...settingsHere(), edited: place.edited })
  const cleaned = cleanedMessage(text, how)
  const template = cleanedMessage(templateOf(place), how)
  const bare: Cleaning = how.edited ? { ...how, mode: 'strip' } : how
  return {
    file,
    text,
    how,
    isEmpty: isEmptyToGit(cleaned, how) || isUntouched(cleaned, template, how),
    isBlank: isEmptyToGit(cleanedMessage(text, bare), bare),
    trailers: trailersOf(cleaned, how.reading),
  }
}

function settingsHere(): MessageSettings {
  const settings = tryAsk(messageSettings)
  if (settings === null) return { comment: null, isString: false, cleanup: null, keys: [] }
  const knows = !settings.isString || tryAsk({ args: ['version'], parse: knowsCommentString })
  return knows ? settings : (tryAsk(olderMessageSettings) ?? { ...settings, comment: null })
}

// What prepare-commit-msg was shown, when git made the message from a template.
function templateOf({ compiled }: Pick<Place, 'compiled'>): string {
  try {
    return readFileSync(join(compiled, 'template'), 'latin1')
  } catch {
    return ''
  }
}

/** What a message may be for without saying so. */
export type Unsaid = {
  /** The intents of the live sessions. */
  readonly live: readonly string[]
  /** The intents that the commits cite which git puts together into this one. */
  readonly carried: readonly string[]
}

/**
 * The intents to add to a message: those of the commits that it is made of, else the one live intent; none when the
 * message is empty or says itself what it is for.
 */
export function intentsToStamp({ isEmpty, isBlank, trailers }: Message, { live, carried }: Unsaid): string[] {
  if (isEmpty || isBlank || valuesOf(trailers, 'Governance').length > 0) return []
  const cited = valuesOf(trailers, 'Intent-ID')
  if (carried.length > 0) return carried.filter(it => !cited.includes(it))
  return cited.length === 0 && live.length === 1 ? [...live] : []
}

/** Adds a trailer for each intent to the file. */
export function stamp({ file, text, how }: Message, intents: readonly string[]): void {
  if (intents.length === 0) return
  const written = intents.reduce((sum, value) => withTrailer(sum, { key: 'Intent-ID', value }, how), text)
  writeFileSync(file, written, 'latin1')
}
