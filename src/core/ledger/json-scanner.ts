import { HIGH_FACTOR, LOW_FACTOR, mixedWord } from './key-hash.ts'
import type { WordList } from './word-list.ts'

/** Reads a value at a scanner's place and goes behind it; false when it is not such a value. */
export type Reader<S extends JsonScanner = JsonScanner> = (scanner: S) => boolean

/** The members of an object whose values matter: the hashes of their names, and a bit for each that must be there. */
export type Shape<S extends JsonScanner> = {
  readonly names: Int32Array
  readonly readers: readonly Reader<S>[]
  readonly required: number
}

/**
 * Walks through JSON as bytes, in a third of the time that parsing takes, and makes no values of it. It knows JSON
 * without white space, escapes, fractions and negative numbers; each method is false for anything else. A line end is
 * in no value, so it never reads past one.
 */
export class JsonScanner {
  protected bytes: Uint8Array = new Uint8Array()
  protected at = 0
  #depth = 0
  #name = 0

  protected begin(bytes: Uint8Array, at: number): void {
    this.bytes = bytes
    this.at = at
    this.#depth = 0
  }

  object({ names, readers, required }: Shape<this>): boolean {
    const bytes = this.bytes
    if (bytes[this.at] !== OPEN_BRACE || ++this.#depth > DEPTH_MAX) return false
    this.#depth--
    if (bytes[++this.at] === CLOSE_BRACE) return ++this.at > 0 && required === 0
    this.#depth++
    let seen = 0
    do {
      if (!(names.length === 0 ? this.string() : this.#hashedName()) || bytes[this.at++] !== COLON) return false
      let known = names.length - 1
      while (known >= 0 && names[known] !== this.#name) known--
      // Of a name that comes twice, JSON.parse takes the second.
      if (known >= 0 && (seen & (1 << known)) !== 0) return false
      if (known >= 0) seen |= 1 << known
      if (!(known < 0 ? this.value() : readers[known]?.(this))) return false
    } while (bytes[this.at++] === COMMA)
    this.#depth--
    return bytes[this.at - 1] === CLOSE_BRACE && (seen & required) === required
  }

  array(item: Reader<this>): boolean {
    const bytes = this.bytes
    if (bytes[this.at] !== OPEN_BRACKET || ++this.#depth > DEPTH_MAX) return false
    this.#depth--
    if (bytes[++this.at] === CLOSE_BRACKET) return ++this.at > 0
    this.#depth++
    do if (!item(this)) return false
    while (bytes[this.at++] === COMMA)
    this.#depth--
    return bytes[this.at - 1] === CLOSE_BRACKET
  }

  string(): boolean {
    const bytes = this.bytes
    let at = this.at
    if (bytes[at++] !== QUOTE) return false
    // Four at once: most of a line is the text of strings.
    while ((PLAIN[bytes[at]!]! & PLAIN[bytes[at + 1]!]! & PLAIN[bytes[at + 2]!]! & PLAIN[bytes[at + 3]!]!) === 1)
      at += 4
    while (PLAIN[bytes[at]!] === 1) at++
    this.at = at + 1
    return bytes[at] === QUOTE
  }

  stringOrNull(): boolean {
    return this.isString() ? this.string() : this.word(NULL)
  }

  integer(): boolean {
    const bytes = this.bytes
    const from = this.at
    while (isDigit(bytes[this.at])) this.at++
    const digits = this.at - from
    return digits === 1 || (digits > 1 && digits <= DIGITS_MAX && bytes[from] !== ZERO)
  }

  value(): boolean {
    const byte = this.bytes[this.at]
    if (byte === QUOTE) return this.string()
    if (byte === OPEN_BRACE) return this.object(ANY_OBJECT)
    if (byte === OPEN_BRACKET) return this.array(skipValue)
    return isDigit(byte) ? this.integer() : this.word(NULL) || this.word(TRUE) || this.word(FALSE)
  }

  protected word(text: Uint8Array): boolean {
    for (let n = 0; n < text.length; n++) if (this.bytes[this.at + n] !== text[n]) return false
    this.at += text.length
    return true
  }

  isString(): boolean {
    return this.bytes[this.at] === QUOTE
  }

  /** Adds the hash of the rest of a string, from the byte after the current one on, to a list. */
  protected hashTo(list: WordList, seed: number): boolean {
    const bytes = this.bytes
    let at = this.at + 1
    let low = seed
    let high = ~seed
    for (let byte = bytes[at]!; PLAIN[byte] === 1; byte = bytes[++at]!) {
      low = Math.imul(low ^ byte, LOW_FACTOR)
      high = Math.imul(high ^ byte, HIGH_FACTOR)
    }
    this.at = at + 1
    list.pushPair(mixedWord(low, high), mixedWord(high, low))
    return bytes[at] === QUOTE
  }

  #hashedName(): boolean {
    const bytes = this.bytes
    let at = this.at
    let hash = 0
    if (bytes[at++] !== QUOTE) return false
    for (let byte = bytes[at]!; PLAIN[byte] === 1; byte = bytes[++at]!) hash = Math.imul(hash ^ byte, LOW_FACTOR)
    this.at = at + 1
    this.#name = hash
    return bytes[at] === QUOTE
  }
}

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const ZERO = 0x30
const BACKSLASH = 0x5c
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const
const NULL = Buffer.from('null')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
// A deeper value is left to a parser that needs no stack.
const DEPTH_MAX = 100
// All numbers of so many digits are exact.
const DIGITS_MAX = 15

// The bytes that stand for themselves in a JSON string.
const PLAIN = Uint8Array.from({ length: 256 }, (_, it) => (it >= 0x20 && it !== QUOTE && it !== BACKSLASH ? 1 : 0))

/** True for the byte of a decimal digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte < ZERO + 10
}

/** A member of an object, and how its value is read. */
export type Member<S extends JsonScanner> = {
  readonly name: string
  readonly read: Reader<S>
  readonly isRequired?: false
}

/** The shape of an object of which some members matter. Any other member is skipped. */
export function shapeOf<S extends JsonScanner>(...members: readonly Member<S>[]): Shape<S> {
  return {
    names: Int32Array.from(members, it => nameHash(it.name)),
    readers: members.map(it => it.read),
    required: members.reduce((bits, it, n) => (it.isRequired === false ? bits : bits | (1 << n)), 0),
  }
}

function nameHash(name: string): number {
  return Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, LOW_FACTOR), 0)
}

const ANY_OBJECT = shapeOf()
const skipValue: Reader = it => it.value()
