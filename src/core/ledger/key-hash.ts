/** The 64 bits by which the catalogue knows a key: two words. */
export type KeyWords = readonly [low: number, high: number]

// A kind's name begins the text that is hashed: a path and a session of the same name have two hashes.
export const KEY_SEEDS = {
  file: 0x66696c65,
  intent: 0x696e7465,
  session: 0x73657373,
  id: 0x69640000,
  event: 0x6576656e,
  author: 0x61757468,
} as const

/** The hash of a key, such as the file `src/a.ts`, over the bytes of its UTF-8. */
export function keyWords(kind: keyof typeof KEY_SEEDS, name: string): KeyWords {
  const seed: number = KEY_SEEDS[kind]
  let low = seed
  let high = ~seed
  for (const byte of Buffer.from(name)) {
    low = Math.imul(low ^ byte, LOW_FACTOR)
    high = Math.imul(high ^ byte, HIGH_FACTOR)
  }
  return [mixedWord(low, high), mixedWord(high, low)]
}

export const LOW_FACTOR = 0x9e3779b1
export const HIGH_FACTOR = 0x5f356495

/** A word of a hash, of two that were made by multiplying (cyrb53): its bits, and the other's, are in all of it. */
export function mixedWord(word: number, other: number): number {
  return (Math.imul(word ^ (word >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)) >>> 0
}

/** The hash of words (32 bits), for a checksum. */
export function hashOfWords(words: Uint32Array): number {
  let hash = 1
  for (let n = 0; n < words.length; n++) hash = Math.imul(hash ^ (words[n] ?? 0), LOW_FACTOR)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The hash of bytes (32 bits), for a checksum. */
export function hashOfBytes(bytes: Uint8Array): number {
  let hash = 1
  for (let n = 0; n < bytes.length; n++) hash = Math.imul(hash ^ (bytes[n] ?? 0), LOW_FACTOR)
  return (hash ^ (hash >>> 15)) >>> 0
}
