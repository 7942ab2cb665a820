// `find(text)`: each secret in a text, in any spelling, or as an unsalted hash.

import { createHash } from 'node:crypto'
import xxhash from 'xxhash-wasm'

const { h64ToString } = await xxhash()

/** Where a secret was put: its form, and the moment at which an agent or a program had it. */
type Place = { readonly form: string; readonly moment: string }

/** Secrets by where they were put, and the whole texts around them. */
export type Markers = {
  /** A text like no other, which stands for the secret of one form at one moment. The same place has the same. */
  mark(place: Place): string
  /** Remembers a whole text with a secret in it, such as a command or an output: its hash could be guessed. */
  keep(place: Place, text: string): void
  /** Every secret in a text, in any spelling that can be undone, and each hash of a secret or of its text. */
  find(text: string): FoundSecret[]
}

/** A secret that was found; `as` is the spelling, or the kind of hash. */
type FoundSecret = Place & { readonly as: string }

/** Markers that begin and end so that a part of one can be seen too. */
export function newMarkers(): Markers {
  const places = new Map<string, Place>()
  const hashes = new Map<string, FoundSecret>()
  // The remote has the objects of the clone, so many texts are looked at again.
  const known = new Map<string, FoundSecret[]>()
  const keep = (place: Place, text: string): void => {
    known.clear()
    for (const [as, hex] of unsaltedHashes(text)) hashes.set(hex.slice(0, HASH_DIGITS), { ...place, as })
  }
  const placeOf = (part: string): Place | undefined => {
    const sought = [part, Array.from(part).reverse().join('')].map(it => it.toLowerCase())
    return [...places].find(([marker]) => sought.some(it => marker.toLowerCase().includes(it)))?.[1]
  }
  const findIn = (text: string): FoundSecret[] => {
    const found = new Map<string, FoundSecret>()
    const add = (it: FoundSecret): void => void found.set(`${it.form} ${it.moment}`, it)
    for (const [as, spelled] of spellings(text)) {
      for (const [part] of spelled.matchAll(PART)) {
        const place = placeOf(part)
        if (place) add({ ...place, as })
      }
    }
    for (const digits of hashDigitsIn(text)) {
      const of = hashes.get(digits)
      if (of) add(of)
    }
    return [...found.values()]
  }
  return {
    mark(place) {
      const marker = markerOf(`${place.form} ${place.moment}`)
      if (!places.has(marker)) keep(place, marker)
      places.set(marker, place)
      return marker
    },
    keep,
    find(text) {
      const found = known.get(text) ?? findIn(text)
      known.set(text, found)
      return found
    },
  }
}

// Letters and digits only, so that no syntax around it changes it; and its ends are each other's mirror, so that it
// is found
// backwards too.
function markerOf(name: string): string {
  const letters = createHash('sha256')
    .update(name)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
  return `Kq7${letters.slice(0, 14)}7qK`
}

const PART = /Kq7[A-Za-z0-9]{6,}|[A-Za-z0-9]{6,}7qK/gi

/** The spellings of a text under which a secret could hide, each undone. */
function* spellings(text: string): Iterable<[as: string, text: string]> {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '')
  yield ['text', plain]
  const unescaped = plain
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\(?:u00|x)([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
  if (unescaped !== plain) yield ['escaped', unescaped]
  // A line may be broken, or a character put in between.
  yield ['in pieces', plain.replace(/\\[nr"]|[\s"'`\\,+]/g, '')]
  for (const run of runsOf(plain, /[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    for (const from of [0, 1, 2, 3]) yield ['base64', Buffer.from(run.slice(from), 'base64').toString('latin1')]
  }
  for (const run of runsOf(plain, /[\da-f]{24,}/gi)) {
    for (const from of [0, 1]) yield ['hex', Buffer.from(run.slice(from), 'hex').toString('latin1')]
  }
}

/** What matches, each once: a page has one and the same id very often. */
function runsOf(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), ([run]) => run))
}

function unsaltedHashes(text: string): [name: string, hex: string][] {
  // With an empty salt before it, and as a line of a file.
  const texts = [text, `\n${text}`, `${text}\n`, `blob ${Buffer.byteLength(text)}\0${text}`]
  return texts.flatMap(it => [
    ...DIGESTS.map((name): [string, string] => [`an unsalted ${name}`, createHash(name).update(it).digest('hex')]),
    ['an unsalted xxh64', h64ToString(it)],
  ])
}

const DIGESTS = ['sha1', 'sha256', 'sha512', 'md5'] as const

const HASH_DIGITS = 12

// Of a hash that is cut, the beginning is kept.
function* hashDigitsIn(text: string): Iterable<string> {
  for (const run of runsOf(text, /[\da-f]{12,}/gi)) yield run.slice(0, HASH_DIGITS).toLowerCase()
  for (const run of runsOf(text, /[A-Za-z0-9+/_-]{11,}={0,2}/g)) {
    yield Buffer.from(run, 'base64').toString('hex').slice(0, HASH_DIGITS)
  }
}
