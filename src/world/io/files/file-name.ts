import { sha256Hex } from '../../../core/base/sha256.ts'

/**
 * A file name for a text that kotef did not choose: equal for equal texts and different for different ones, also on
 * disks that ignore case. It consists of lower-case letters, digits, `-` and `_`.
 */
export function fileNameFor(text: string): string {
  const name = text.replace(/[^\da-z-]/g, it => `_${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
  // Only a long name is hashed: node:crypto is slow to load.
  return name.length <= NAME_LENGTH_MAX ? name : `_sha256_${sha256Hex(text)}`
}

// A file name can join two of them, and file systems allow 255 bytes.
const NAME_LENGTH_MAX = 100

/** The text for which a file name was made; null for one that has only a hash of it. */
export function textOfFileName(name: string): string | null {
  if (name.startsWith('_sha256_')) return null
  return name.replace(/_([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
