import { createHash } from 'node:crypto'

/** The oid of a blob with these bytes, in hex. `algorithm` is the repository's object format. */
export function blobOid(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
