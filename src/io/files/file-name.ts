import { sha256Hex } from '../../text/sha256.ts'

/**
 * A name that a file may have, for a text that somebody else chose: the same for the same text, and for no other one,
 * on disks that take any case for a name as well. It has small letters, digits, `-` and `_` in it.
 */
export function fileNameFor(text: string): string {
  const name = text.replace(/[^\da-z-]/g, it => `_${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
  // What hashes takes its time to load.
  return name.length <= NAME_LENGTH_MAX ? name : `_sha256_${sha256Hex(text)}`
}

// Two of them are one name of at most 255 bytes.
const NAME_LENGTH_MAX = 100
