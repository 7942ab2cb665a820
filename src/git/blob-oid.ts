import { createHash } from 'node:crypto'

/** The name that git gives to these bytes as a blob: hex, of the repository's own hash function. */
export function blobOid(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
