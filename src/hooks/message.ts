import { readFileSync, writeFileSync } from 'node:fs'
import type { GitQuery } from '../diff/query.ts'
import { cleanedMessage, type Cleaning } from '../trailers/clean.ts'
import { type Trailer, trailersOf, valuesOf } from '../trailers/read.ts'
import { withTrailer } from '../trailers/write.ts'
import { type Place, tryAsk } from './place.ts'

/** A message file and what git will make of it. Bytes are latin1 characters, so that any encoding survives. */
export type Message = {
  readonly file: string
  readonly text: string
  readonly how: Cleaning
  readonly isEmpty: boolean
  readonly trailers: readonly Trailer[]
}

/** Reads a message file as it is when a hook is given it. */
export function readMessage(place: Place, file: string): Message {
  const text = readFileSync(file, 'latin1')
  const how = { commentChar: tryAsk(commentChar) ?? '#', edited: place.edited }
  const cleaned = cleanedMessage(text, how)
  return { file, text, how, isEmpty: cleaned === '', trailers: trailersOf(cleaned, how) }
}

// With `auto` git picks a character that the message does not begin a line with; it is `#` wherever that will do.
const commentChar: GitQuery<string> = {
  args: ['config', '--get', 'core.commentChar'],
  parse: out => (out.trim() === 'auto' || out.trim() === '' ? '#' : out.trim()),
}

/** The intent to add to a message: the one live intent, unless the message is empty or says itself what it is for. */
export function intentToStamp({ isEmpty, trailers }: Message, live: readonly string[]): string | null {
  const [intent, ...others] = live
  if (isEmpty || !intent || others.length > 0) return null
  return valuesOf(trailers, 'Intent-ID').length > 0 || valuesOf(trailers, 'Governance').length > 0 ? null : intent
}

/** Adds the trailer to the file. */
export function stamp({ file, text, how }: Message, intent: string): void {
  writeFileSync(file, withTrailer(text, { key: 'Intent-ID', value: intent }, how), 'latin1')
}
