import { isDigit, JsonScanner, type Member, type Reader, shapeOf } from './json-scanner.ts'
import { KEY_SEEDS } from './key-hash.ts'
import { WordList } from './word-list.ts'

/**
 * Reads what the catalogue needs of a record from the bytes of its line. It accepts a line only if `readLedger` would,
 * and finds the same keys. It knows the JSON that kotef writes: any other line is not accepted, although it may be a
 * record.
 */
export class RecordScanner extends JsonScanner {
  /** Of the last accepted line: the hashes of its record's id and of its keys. */
  readonly id = new WordList()
  readonly keys = new WordList()
  seconds = 0
  readonly #day = new Uint8Array(DAY_LENGTH)
  #dayStart = 0

  /** True for the line from one offset to another, without its line end, if it is a record. */
  accepts(bytes: Uint8Array, from: number, end: number): boolean {
    this.begin(bytes, from)
    this.id.clear()
    this.keys.clear()
    return this.object(RECORD) && this.at === end
  }

  /** A string, as a key of the record. */
  key(seed: number): boolean {
    return this.isString() && this.hashTo(this.keys, seed)
  }

  recordId(): boolean {
    return this.isString() && this.hashTo(this.id, KEY_SEEDS.id)
  }

  /** A conversation's URL: a session's has its id as a key, unless that is encoded. */
  url(): boolean {
    if (!this.isString()) return false
    const from = this.at + 1
    for (let n = 0; n < SESSION_SCHEME.length; n++) if (this.bytes[from + n] !== SESSION_SCHEME[n]) return this.string()
    this.at += SESSION_SCHEME.length
    if (!this.hashTo(this.keys, KEY_SEEDS.session)) return false
    for (let n = from; n < this.at; n++) if (this.bytes[n] === PERCENT) return false
    return true
  }

  /** The time of a record, as ISO 8601 in UTC with milliseconds. */
  time(): boolean {
    const from = this.at + 1
    if (!this.string() || this.at !== from + TIME_PATTERN.length + 1) return false
    const bytes = this.bytes
    for (let n = 0; n < TIME_PATTERN.length; n++) {
      const wanted = TIME_PATTERN[n]
      if (wanted === ZERO ? !isDigit(bytes[from + n]) : bytes[from + n] !== wanted) return false
    }
    const two = (at: number) => ((bytes[from + at] ?? 0) - ZERO) * 10 + ((bytes[from + at + 1] ?? 0) - ZERO)
    const hours = two(11)
    const minutes = two(14)
    const seconds = two(17)
    this.#setDay(from)
    this.seconds = this.#dayStart + hours * 3600 + minutes * 60 + seconds
    return this.#dayStart >= 0 && this.seconds <= SECONDS_MAX && hours < 24 && minutes < 60 && seconds < 60
  }

  #setDay(from: number): void {
    let isSame = true
    for (let n = 0; n < DAY_LENGTH; n++) if (this.bytes[from + n] !== this.#day[n]) isSame = false
    if (isSame) return
    this.#day.set(this.bytes.subarray(from, from + DAY_LENGTH))
    this.#dayStart = Date.parse(`${String.fromCharCode(...this.#day)}T00:00:00.000Z`) / 1000
  }
}

const ZERO = 0x30
const PERCENT = 0x25
const SESSION_SCHEME = Buffer.from('kotef:session/')
const TIME_PATTERN = Buffer.from('0000-00-00T00:00:00.000Z')
const DAY_LENGTH = 10
/** The largest time in the catalogue: a later one is counted as this. */
export const SECONDS_MAX = 2 ** 32 - 1

type RecordReader = Reader<RecordScanner>

const text: RecordReader = it => it.string()
const textOrNull: RecordReader = it => it.stringOrNull()
const integer: RecordReader = it => it.integer()
const keyOf = (kind: keyof typeof KEY_SEEDS): RecordReader => {
  const seed = KEY_SEEDS[kind]
  return it => (it.isString() ? it.key(seed) : it.value())
}
const keyOfText = (kind: keyof typeof KEY_SEEDS): RecordReader => {
  const seed = KEY_SEEDS[kind]
  return it => it.key(seed)
}
const required = (name: string, read: RecordReader) => ({ name, read })
const optional = (name: string, read: RecordReader) => ({ name, read, isRequired: false as const })
const objectOf = (...members: readonly Member<RecordScanner>[]): RecordReader => {
  const shape = shapeOf(...members)
  return it => it.object(shape)
}
const arrayOf =
  (item: RecordReader): RecordReader =>
  it =>
    it.array(item)

const range = objectOf(required('start_line', integer), required('end_line', integer))
const conversation = objectOf(
  optional('url', it => it.url()),
  optional('contributor', objectOf(optional('type', keyOf('author')))),
  required('ranges', arrayOf(range)),
  required('related', arrayOf(objectOf(optional('value', keyOf('intent'))))),
)
const change = objectOf(
  required('op', text),
  optional('from', keyOf('file')),
  required('before', textOrNull),
  required('after', textOrNull),
)
const file = objectOf(
  required('path', keyOfText('file')),
  required('conversations', arrayOf(conversation)),
  required('kotef', change),
)
const own = objectOf(
  required('event', keyOfText('event')),
  optional('intent', keyOf('intent')),
  optional('session', keyOf('session')),
  optional('path', keyOf('file')),
  ...['writer', 'hash'].map(it => required(it, text)),
  required('seq', integer),
  required('prev', textOrNull),
)
const RECORD = shapeOf(
  required('version', text),
  required('id', it => it.recordId()),
  required('timestamp', it => it.time()),
  required('files', arrayOf(file)),
  required('metadata', objectOf(required('dev.kotef', own))),
)
